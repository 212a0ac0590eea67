import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startSimulator, type SimulatorOptions } from "../test/simulator/simulator.ts";

/** A made-up node in a folder, and a made-up AWS: what the agent needs to run through here. */
export type Rehearsal = {
  /** The node's root folder, for --root. */
  readonly root: string;
  /** Variables that lead a program to that node's programs and that AWS. */
  readonly env: Readonly<Record<string, string>>;
};

/** Programs that the agent calls, as small as they can be: they cost next to nothing beside the agent itself. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "usr/bin/kubelet": "echo Kubernetes v1.33.1-eks-1234567",
  "usr/bin/containerd": 'case $1 in --version) echo "containerd github.com/containerd/containerd/v2 v2.1.4 0123456";; config) cat "$3" 2>/dev/null;; esac',
  "usr/bin/systemctl": "exit 0",
  "etc/eks/image-credential-provider/ecr-credential-provider": "exit 0",
};

/** Makes both for the time that `run` takes. */
export async function rehearse<Result>(run: (rehearsal: Rehearsal) => Promise<Result>, options: SimulatorOptions = {}): Promise<Result> {
  const root = mkdtempSync(join(tmpdir(), "eks-node-agent-"));
  const simulator = await startSimulator(options);
  try {
    for (const [path, body] of Object.entries(PROGRAMS)) writeProgram(join(root, path), body);
    const PATH = [join(root, "usr/bin"), process.env["PATH"]].join(delimiter);
    return await run({ root, env: { PATH, ...simulator.environment } });
  } finally {
    await simulator.close();
    rmSync(root, { recursive: true });
  }
}

function writeProgram(path: string, body: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}
