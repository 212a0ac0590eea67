import { isBlank, isOwn, type FileSystemSteps } from "./compare-array.ts";
import { showContents } from "./disk-refusals.ts";
import type { ComparisonNote, ObservedDisk, ObservedDisks, PlannedDisks } from "./plan.ts";

/** A file system of the agent's on each disk. What holds anything else is left alone, which the others do not suffer from. */
export function compareSingleDisks({ volumes }: PlannedDisks, { disks }: ObservedDisks): FileSystemSteps {
  const owners = new Map(volumes.map((volume) => [volume, disks.find(({ holds }) => isOwn(holds, volume))]));
  const blank = disks.filter(isBlank);
  const free = volumes.filter((volume) => owners.get(volume) === undefined);
  const made = blank.flatMap((disk, index) => (free[index] === undefined ? [] : [{ disk, volume: free[index] }]));
  const owned = [...owners.values()];
  return {
    steps: made.map(({ disk, volume }) => ({ kind: "make-file-system", device: disk.device, label: volume.label })),
    notes: disks.filter((disk) => !isBlank(disk) && !owned.includes(disk)).map(leftAlone),
    volumes: volumes.flatMap((volume) => {
      const disk = owners.get(volume) ?? made.find((one) => one.volume === volume)?.disk;
      return disk === undefined ? [] : [{ volume, number: disk.number }];
    }),
  };
}

function leftAlone(disk: ObservedDisk): ComparisonNote {
  return { code: "disk-left-alone", message: `${showContents(disk)}, which eks-node-agent has not made: the disk is left as it is. If nobody needs that, clear it (\`wipefs --all ${disk.device}\`) and run eks-node-agent again.` };
}
