/** What lsblk says of a block device, and of those that are made of it. */
export type BlockDevice = {
  readonly name: string;
  /** "259:1" */
  readonly number: string;
  /** "disk", "part", "raid0" */
  readonly type: string;
  /** 0 for an array that cannot run. */
  readonly size: number;
  readonly fstype: string | undefined;
  readonly label: string | undefined;
  readonly uuid: string | undefined;
  readonly pttype: string | undefined;
  readonly mountpoint: string | undefined;
  readonly children: readonly BlockDevice[];
};

/** The devices that `lsblk --json --bytes` printed. */
export function parseLsblk(text: string): readonly BlockDevice[] {
  const { blockdevices } = JSON.parse(text) as { readonly blockdevices?: unknown };
  return devicesOf(blockdevices);
}

function devicesOf(value: unknown): readonly BlockDevice[] {
  return Array.isArray(value) ? value.map((device) => deviceOf(device as Readonly<Record<string, unknown>>)) : [];
}

function deviceOf(device: Readonly<Record<string, unknown>>): BlockDevice {
  return {
    name: textOf(device["name"]) ?? "",
    number: textOf(device["maj:min"])?.trim() ?? "",
    type: textOf(device["type"]) ?? "",
    size: Number(device["size"] ?? 0),
    fstype: textOf(device["fstype"]),
    label: textOf(device["label"]),
    uuid: textOf(device["uuid"]),
    pttype: textOf(device["pttype"]),
    mountpoint: textOf(device["mountpoint"]),
    children: devicesOf(device["children"]),
  };
}

/** What there is nothing of is null, or "" with older versions. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
