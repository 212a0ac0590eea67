import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startSimulator, type SimulatorOptions } from "../test/simulator/simulator.ts";
import { install, MACHINE_FILES } from "./root-directory.ts";
import { findTool } from "./tool.ts";

/** A made-up machine in a folder that becomes the root directory, and a made-up AWS: the agent may write there and start units, as on a node. */
export type Enclosure = {
  readonly root: string;
  /** Variables that lead a program to that machine's programs and that AWS. */
  readonly env: Readonly<Record<string, string>>;
};

/** A systemctl that costs next to nothing, and nothing but a shell. */
export const SMALL_SYSTEMCTL = readFileSync(join(import.meta.dirname, "bundled/systemctl.sh"), "utf8");

const PROGRAMS: Readonly<Record<string, string>> = {
  "/usr/bin/kubelet": "#!/bin/sh\necho Kubernetes v1.29.3\n",
  "/usr/bin/containerd": "#!/bin/sh\nexit 0\n",
  "/usr/bin/systemctl": SMALL_SYSTEMCTL,
  "/etc/eks/image-credential-provider/ecr-credential-provider": "#!/bin/sh\nexit 0\n",
};

/** Makes both for the time that `run` takes. */
export async function enclose<Result>(run: (enclosure: Enclosure) => Promise<Result>, options: SimulatorOptions = {}): Promise<Result> {
  const root = mkdtempSync(join(tmpdir(), "eks-node-agent-"));
  const simulator = await startSimulator(options);
  // The programs here start no containerd: its socket is served from outside.
  const containerd = createServer((connection) => connection.end());
  try {
    for (const name of ["sh", "flock"]) install(root, findTool(name) ?? name, `/usr/bin/${name}`);
    install(root, findTool("sh") ?? "sh", "/bin/sh");
    for (const [path, text] of Object.entries(PROGRAMS)) write(root + path, text, 0o755);
    // Newer than the programs, as the image's own are: they need not be asked.
    for (const [path, text] of Object.entries(MACHINE_FILES)) write(root + path, text, 0o644);
    for (const folder of ["/tmp", "/run/containerd"]) mkdirSync(root + folder, { recursive: true });
    containerd.listen(`${root}/run/containerd/containerd.sock`);
    return await run({ root, env: { PATH: "/usr/bin:/bin", ...simulator.environment } });
  } finally {
    containerd.close();
    await simulator.close();
    rmSync(root, { recursive: true });
  }
}

function write(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}
