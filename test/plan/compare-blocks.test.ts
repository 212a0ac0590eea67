import { describe, expect, it } from "vitest";
import { withBlock } from "../../src/plan/block.ts";
import { compare, directoriesInTheWay } from "../../src/plan/compare.ts";
import { manifestDuringChanges, nextManifest } from "../../src/plan/next-manifest.ts";
import type { ObservedFile } from "../../src/plan/plan.ts";
import { file, found, observed, plan, unit } from "./plans.ts";

const HOSTS = "/etc/hosts";
const BLOCK = { path: HOSTS, lines: ["10.0.0.1 api", "10.0.0.2 api"] };
const planned = { ...plan([]), blocks: [BLOCK] };
const LOCAL = "127.0.0.1 localhost\n";

describe("compare() on a block", () => {
  it.each([
    ["no file", { kind: "absent" }, "new", ["write-block"]],
    ["a file without it", found(LOCAL), "new", ["write-block"]],
    ["the block as planned", found(withBlock(LOCAL, BLOCK.lines), { mode: 0o600, uid: 7 }), "unchanged", []],
    ["another block", found(withBlock(LOCAL, ["x"])), "changed", ["write-block"]],
    ["what cannot be read", { kind: "unreadable" }, "unknown", ["write-block"]],
  ] as const)("%s", (_what, before: ObservedFile, state, kinds) => {
    const { blocks, changes, files } = compare(planned, observed({ [HOSTS]: before }));
    expect(blocks).toEqual([{ path: HOSTS, state, planned: BLOCK, before }]);
    expect([files, changes.map(({ kind }) => kind)]).toEqual([[], kinds]);
  });

  it("removes one of an earlier run that is planned no more, and nothing of the file besides", () => {
    const before = found(withBlock(LOCAL, BLOCK.lines));
    const { blocks, changes } = compare(plan([]), observed({ [HOSTS]: before }, [], { blocks: [HOSTS] }));
    expect(blocks).toEqual([{ path: HOSTS, state: "removed", planned: undefined, before }]);
    expect(changes).toEqual([{ kind: "remove-block", path: HOSTS }]);
  });

  it("has nothing to do where somebody removed it already", () => {
    expect(compare(plan([]), observed({ [HOSTS]: found(LOCAL) }, [], { blocks: [HOSTS] }))).toEqual({ files: [], blocks: [], changes: [], notes: [] });
  });

  it("comes after the files and before the units", () => {
    const all = { ...plan([file("/etc/a")], [unit("kubelet.service")]), blocks: [BLOCK] };
    expect(compare(all, observed({ "/etc/old": found("x") }, [], { files: { "/etc/old": "sha256:1" } })).changes.map(({ kind }) => kind)).toEqual(["write-file", "remove-file", "write-block", "enable-unit", "start-unit"]);
  });

  it("cannot be written into a directory", () => {
    const { changes } = compare(planned, observed({ [HOSTS]: { kind: "other", what: "directory" } }));
    expect(directoriesInTheWay(changes)).toEqual([HOSTS]);
  });

  it("is in the manifest before it is written, and until it is removed", () => {
    const before = observed({}, [], { blocks: ["/etc/motd"] });
    expect(nextManifest(planned, undefined)).toEqual({ files: {}, units: {}, blocks: [HOSTS] });
    expect(manifestDuringChanges(planned, before, [], undefined).blocks).toEqual(["/etc/motd", HOSTS]);
    expect(nextManifest(plan([]), undefined)).toEqual({ files: {}, units: {} });
  });
});

describe("compare() on a file that another program makes", () => {
  const KUBECONFIG = "/var/lib/kubelet/kubeconfig";
  const unwanted = [{ path: KUBECONFIG, unless: { hasLine: "server: https://api", lacksLine: "exec:" } }];
  const OWN = found("clusters:\n- cluster:\n    server: https://api\n", { mode: 0o600 });

  it.each([
    ["is of use", OWN, []],
    ["is not there", { kind: "absent" }, []],
    ["leads elsewhere", found("server: https://api.example\n"), ["remove-file"]],
    ["has what it must not have", found("server: https://api\nexec:\n"), ["remove-file"]],
    ["is empty", found(""), ["remove-file"]],
    ["is a link", { kind: "symlink", target: "/x" }, ["remove-file"]],
    ["cannot be read", { kind: "unreadable" }, []],
    ["is a directory", { kind: "other", what: "directory" }, []],
  ] as const)("when it %s", (_what, before: ObservedFile, kinds) => {
    const { changes, files } = compare({ ...plan([]), unwanted }, observed({ [KUBECONFIG]: before }));
    expect(changes.map(({ kind }) => kind)).toEqual(kinds);
    expect(files.map(({ state }) => state)).toEqual(kinds.map(() => "removed"));
  });

  it("is removed once where the agent wrote it before", () => {
    const { changes } = compare({ ...plan([]), unwanted }, observed({ [KUBECONFIG]: found("") }, [], { files: { [KUBECONFIG]: "sha256:1" } }));
    expect(changes.map(({ kind }) => kind)).toEqual(["remove-file"]);
  });
});
