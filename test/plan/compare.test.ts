import { describe, expect, it } from "vitest";
import { digestContents } from "../../src/lib/digest.ts";
import { compare, directoriesInTheWay } from "../../src/plan/compare.ts";
import { BEING_WRITTEN } from "../../src/plan/next-manifest.ts";
import type { ObservedFile } from "../../src/plan/plan.ts";
import { file, found, observed, plan } from "./plans.ts";

const text = file("/etc/text", "a\n");
const json = file("/etc/value.json", '{\n  "a": 1\n}\n');

describe("compare() on a planned file", () => {
  it.each([
    ["nothing is there", text, { kind: "absent" }, "new", ["write-file"]],
    ["the same bytes", text, found("a\n"), "unchanged", []],
    ["other bytes", text, found("a"), "changed", ["write-file"]],
    ["the same JSON value, as jq writes it", json, found('{"a":1}'), "unchanged", []],
    ["another JSON value", json, found('{"a":2}'), "changed", ["write-file"]],
    ["no JSON any more", json, found('{"a":'), "changed", ["write-file"]],
    ["another mode", text, found("a\n", { mode: 0o664 }), "changed", ["write-file"]],
    ["a set-user-id bit", text, found("a\n", { mode: 0o4644 }), "changed", ["write-file"]],
    ["another owner", text, found("a\n", { uid: 1000 }), "changed", ["write-file"]],
    ["another group", text, found("a\n", { gid: 1000 }), "changed", ["write-file"]],
    ["a symbolic link is replaced, not followed", text, { kind: "symlink", target: "/etc/text2" }, "changed", ["write-file"]],
    ["a named pipe is replaced", text, { kind: "other", what: "named pipe" }, "changed", ["write-file"]],
    ["what cannot be read is written", text, { kind: "unreadable" }, "unknown", ["write-file"]],
  ] as const)("%s", (_why, planned, before: ObservedFile, state, kinds) => {
    const { files, changes } = compare(plan([planned]), observed({ [planned.path]: before }));
    expect(files).toEqual([{ path: planned.path, state, planned, before }]);
    expect(changes.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("takes a path that nobody looked at as holding nothing", () => {
    expect(compare(plan([text]), observed()).files.map(({ state }) => state)).toEqual(["new"]);
  });

  it("expects the owner that it is told, for a user who works below a root of his own", () => {
    const mine = { uid: 1000, gid: 1000 };
    expect(compare(plan([text]), observed({ "/etc/text": found("a\n", mine) }), mine).changes).toEqual([]);
  });
});

describe("compare() on drift", () => {
  const digest = digestContents("a\n", "bytes");
  it.each([
    ["a file as the agent wrote it, now planned otherwise, is no drift", "a\n", digest, false],
    ["a file that somebody changed is", "x\n", digest, true],
    ["a file that the agent never wrote is not", "x\n", undefined, false],
    ["nor one that a killed run may have been writing", "x\n", BEING_WRITTEN, false],
  ])("%s", (_why, contents, recorded, isDrift) => {
    const manifest = { files: recorded === undefined ? {} : { "/etc/text": recorded } };
    const { changes } = compare(plan([file("/etc/text", "new\n")]), observed({ "/etc/text": found(contents) }, [], manifest));
    expect(changes).toEqual([{ kind: "write-file", file: file("/etc/text", "new\n"), before: found(contents), isDrift }]);
  });

  it.each([
    ["a removed file is drift", { kind: "absent" }, true],
    ["so is a link in its place", { kind: "symlink", target: "/x" }, true],
    ["what cannot be read is not known to be", { kind: "unreadable" }, false],
  ] as const)("%s", (_why, before, isDrift) => {
    const { changes } = compare(plan([text]), observed({ "/etc/text": before }, [], { files: { "/etc/text": digest } }));
    expect(changes).toMatchObject([{ kind: "write-file", isDrift }]);
  });

  it("is not another layout of the JSON value that the agent wrote", () => {
    const recorded = { files: { "/etc/value.json": digestContents('{"a":1}', "json") } };
    const { changes } = compare(plan([file("/etc/value.json", '{"a":2}')]), observed({ "/etc/value.json": found('{ "a": 1 }') }, [], recorded));
    expect(changes).toMatchObject([{ kind: "write-file", isDrift: false }]);
  });
});

describe("compare() on what earlier runs wrote", () => {
  const manifest = { files: { "/etc/old": "sha256:1", "/etc/systemd/system/x.service.d/1.conf": "sha256:2", "/etc/text": "sha256:3" } };

  it("removes what is not planned any more, after the writes, and nothing else", () => {
    const before = { "/etc/old": found("x"), "/etc/systemd/system/x.service.d/1.conf": found("y"), "/etc/unmanaged": found("z") };
    const { files, changes } = compare(plan([text]), observed(before, [], manifest));
    expect(files.map(({ path, state }) => [path, state])).toEqual([
      ["/etc/text", "new"],
      ["/etc/old", "removed"],
      ["/etc/systemd/system/x.service.d/1.conf", "removed"],
    ]);
    expect(changes.slice(1)).toEqual([
      { kind: "remove-file", path: "/etc/old", before: found("x"), isUnitFile: false },
      { kind: "remove-file", path: "/etc/systemd/system/x.service.d/1.conf", before: found("y"), isUnitFile: true },
    ]);
  });

  it.each([
    ["is gone already", { kind: "absent" }],
    ["has become a directory", { kind: "other", what: "directory" }],
  ] as const)("leaves alone what %s", (_why, before) => {
    expect(compare(plan([]), observed({ "/etc/old": before }, [], { files: { "/etc/old": "sha256:1" } }))).toEqual({ files: [], blocks: [], changes: [], notes: [] });
  });
});

describe("directoriesInTheWay()", () => {
  it("names the planned paths at which there is a directory", () => {
    const before = { "/etc/text": { kind: "other", what: "directory" }, "/etc/value.json": { kind: "other", what: "socket" } } as const;
    expect(directoriesInTheWay(compare(plan([text, json]), observed(before)).changes)).toEqual(["/etc/text"]);
  });
});
