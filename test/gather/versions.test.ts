import { utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { GatherEvent } from "../../src/gather/events.ts";
import { CONTAINERD, gatherVersion, KUBELET } from "../../src/gather/versions.ts";
import type { VersionedProgram } from "../../src/gather/versions.ts";
import { fakeClock } from "./fixture.ts";
import { withTree } from "./tree.ts";
import type { Entry } from "./tree.ts";

const OLD = new Date("2026-01-01T00:00:00Z");
const NEW = new Date("2026-02-01T00:00:00Z");

type Case = { readonly entries: Readonly<Record<string, Entry>>; readonly ages?: Readonly<Record<string, Date>>; readonly program?: VersionedProgram };

async function versionOf({ entries, ages = {}, program = KUBELET }: Case): Promise<{ answer: unknown; events: readonly GatherEvent[] }> {
  return withTree(entries, async (root) => {
    for (const [path, time] of Object.entries(ages)) utimesSync(root + path, time, time);
    const events: GatherEvent[] = [];
    const answer = await gatherVersion(root, program, { clock: fakeClock(), onEvent: (event) => events.push(event) });
    return JSON.parse(JSON.stringify({ answer, events }).replaceAll(root, "ROOT")) as { answer: unknown; events: GatherEvent[] };
  });
}

const PROGRAM = { program: "echo Kubernetes v1.33.5-eks-113cf36" };
const FILE = "/etc/eks/kubelet-version.txt";
const ASKED = { value: { version: "1.33.5", source: "/usr/bin/kubelet --version" } };
const NOTED = { value: { version: "1.32.9", source: FILE } };

test.each<[string, Case, unknown]>([
  ["a program is asked", { entries: { "/usr/bin/kubelet": PROGRAM } }, ASKED],
  ["a file as old as the program is believed", { entries: { "/usr/bin/kubelet": PROGRAM, [FILE]: "Kubernetes v1.32.9\n" }, ages: { "/usr/bin/kubelet": OLD, [FILE]: OLD } }, NOTED],
  ["a file older than the program is not", { entries: { "/usr/bin/kubelet": PROGRAM, [FILE]: "Kubernetes v1.32.9\n" }, ages: { "/usr/bin/kubelet": NEW, [FILE]: OLD } }, ASKED],
  ["a file without a version is not", { entries: { "/usr/bin/kubelet": PROGRAM, [FILE]: "unknown\n" }, ages: { "/usr/bin/kubelet": OLD, [FILE]: NEW } }, ASKED],
  ["a program that is missing has no version, whatever the file", { entries: { [FILE]: "Kubernetes v1.32.9\n" } }, { failure: "there is no kubelet at /usr/bin/kubelet" }],
  ["a version may be alone", { entries: { "/usr/bin/kubelet": { program: "echo v1.30.0" } } }, { value: { version: "1.30.0", source: "/usr/bin/kubelet --version" } }],
  ["words without a version", { entries: { "/usr/bin/kubelet": { program: "echo hello" } } }, { failure: '/usr/bin/kubelet --version says "hello", which names no version' }],
  ["a program that fails", { entries: { "/usr/bin/kubelet": { program: "echo broken >&2; exit 3" } } }, { failure: "ROOT/usr/bin/kubelet --version ended with exit status 3: broken" }],
  ["a program that crashes", { entries: { "/usr/bin/kubelet": { program: "kill -SEGV $$" } } }, { failure: "ROOT/usr/bin/kubelet --version ended with SIGSEGV: " }],
  [
    "containerd's module path is no version",
    { entries: { "/usr/local/bin/containerd": { program: "echo containerd github.com/containerd/containerd/v2 v2.1.4 0123456" } }, program: CONTAINERD },
    { value: { version: "2.1.4", source: "/usr/local/bin/containerd --version" } },
  ],
])("%s", async (_, given, expected) => {
  expect((await versionOf(given)).answer).toEqual(expected);
});

test("a program that cannot be started is a failure", async () => {
  await withTree({ "/usr/bin/kubelet": { program: "" } }, async (root) => {
    writeFileSync(`${root}/usr/bin/kubelet`, "#!/nowhere/interpreter\n");
    const answer = await gatherVersion(root, KUBELET, { clock: fakeClock(), onEvent: () => undefined });
    expect(answer).toEqual({ failure: `${root}/usr/bin/kubelet --version could not be run: ENOENT` });
  });
});

test("running a program is told", async () => {
  const { events } = await versionOf({ entries: { "/usr/bin/kubelet": { program: "exit 3" } } });
  expect(events).toEqual([
    { kind: "command", argv: ["ROOT/usr/bin/kubelet", "--version"], startMs: expect.any(Number) as number, durationMs: 0, failure: "ROOT/usr/bin/kubelet --version ended with exit status 3: " },
  ]);
});
