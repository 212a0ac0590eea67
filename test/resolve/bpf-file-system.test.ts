import { describe, expect, it } from "vitest";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import { noteBpfFileSystem } from "../../src/resolve/bpf-file-system.ts";
import { noteList } from "../../src/resolve/notes.ts";
import { host } from "./fixture.ts";

describe("noteBpfFileSystem()", () => {
  it.each<[why: string, bpfMounted: boolean, wanted: boolean | undefined, codes: readonly string[]]>([
    ["it is mounted, as systemd does at boot", true, undefined, []],
    ["it is not, and wanted by default", false, undefined, ["bpf-not-mounted"]],
    ["it is not, and asked for", false, true, ["bpf-not-mounted"]],
    ["it is not, and --mount-bpf-fs false says that this is right", false, false, []],
  ])("%s", (_, bpfMounted, wanted, codes) => {
    const { notes, add } = noteList();
    const instance = wanted === undefined ? {} : { mountBpfFs: { value: wanted, source: "option --mount-bpf-fs" } };
    noteBpfFileSystem({ ...EMPTY_NODE_CONFIG, instance: { environment: {}, ...instance } }, host({ bpfMounted }), add);
    expect(notes.map(({ code }) => code)).toEqual(codes);
  });
});
