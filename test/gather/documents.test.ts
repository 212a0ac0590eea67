import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfigPath, readDropIns, readEksctlFiles, readNamedFile, type SourceText } from "../../src/gather/documents.ts";
import { told } from "./fixture.ts";
import { type Entry, withTree } from "./tree.ts";

const isRoot = process.geteuid?.() === 0;
const OPTION = "option --config-source";

/** Names and texts, with "~" for the root. */
async function read(entries: Readonly<Record<string, Entry>>, from: (root: string) => Promise<readonly SourceText[]>): Promise<readonly string[]> {
  return withTree(entries, async (root) => (await from(root)).map(({ source, text }) => `${source.replace(root, "~")}: ${text}`));
}

describe("a path that was named", () => {
  it.each<[string, Record<string, Entry>, string, readonly string[]]>([
    ["a file, whatever its name", { "/a.conf": "A" }, "/a.conf", ["file ~/a.conf: A"]],
    ["a link to one", { "/a": "A", "/b": { link: "a" } }, "/b", ["file ~/b: A"]],
    ["a device", {}, "/../../dev/null", ["file ~/../../dev/null: "]],
    ["a folder: .yaml, .yml and .json, by name", { "/d/9.json": "9", "/d/10.yaml": "10", "/d/B.yml": "B", "/d/a.yaml": "a" }, "/d", ["file ~/d/10.yaml: 10", "file ~/d/9.json: 9", "file ~/d/B.yml: B", "file ~/d/a.yaml: a"]],
    ["a folder's others, and folders in it, not", { "/d/README": "", "/d/a.yaml~": "", "/d/a.YAML": "", "/d/sub.yaml/x.yaml": "", "/d/.yamlx": "" }, "/d", []],
  ])("%s", async (name, entries, path, expected) => {
    const shown = await read(entries, (root) => readConfigPath(name === "a device" ? "/dev/null" : root + path, OPTION));
    expect(shown).toEqual(name === "a device" ? ["file /dev/null: "] : expected);
  });

  it.each<[string, Record<string, Entry>, string, string]>([
    ["is not there", {}, "/a.yaml", `source-unreadable: Cannot read ~/a.yaml (${OPTION}): there is no such file`],
    ["is a link to nothing in a folder", { "/d/a.yaml": { link: "b" } }, "/d", `source-unreadable: Cannot read ~/d/a.yaml (${OPTION}): there is no such file`],
    ["is too large", { "/a.yaml": "x".repeat(8 * 1024 * 1024 + 1) }, "/a.yaml", "config-invalid: Cannot use ~/a.yaml as configuration: it holds more than 8388608 bytes"],
  ])("that %s", async (_, entries, path, expected) => {
    await withTree(entries, async (root) => {
      expect((await told(readConfigPath(root + path, OPTION))).replaceAll(root, "~")).toBe(expected);
    });
  });

  it("that never ends is not read to its end", async () => {
    expect(await told(readConfigPath("/dev/zero", OPTION))).toBe("config-invalid: Cannot use /dev/zero as configuration: it holds more than 8388608 bytes");
  });

  it("of 8 MiB to the byte is read", async () => {
    await withTree({ "/a.yaml": "x".repeat(8 * 1024 * 1024) }, async (root) => {
      expect((await readNamedFile(`${root}/a.yaml`, OPTION)).text).toHaveLength(8 * 1024 * 1024);
    });
  });

  it.skipIf(isRoot)("that may not be read (skipped as root, who may)", async () => {
    await withTree({ "/a.yaml": "A" }, async (root) => {
      chmodSync(`${root}/a.yaml`, 0o000);
      expect((await told(readConfigPath(`${root}/a.yaml`, OPTION))).replaceAll(root, "~")).toBe(`source-unreadable: Cannot read ~/a.yaml (${OPTION}): permission denied`);
    });
  });
});

describe("the usual folders", () => {
  it("are nodeadm's, then the agent's, below the root and named without it", async () => {
    const entries = { "/etc/eks/node-agent.d/a.yaml": "agent", "/etc/eks/nodeadm.d/z.yaml": "nodeadm", "/etc/eks/other.d/a.yaml": "" };
    expect(await read(entries, readDropIns)).toEqual(["file /etc/eks/nodeadm.d/z.yaml: nodeadm", "file /etc/eks/node-agent.d/a.yaml: agent"]);
  });

  it("need not be there", async () => {
    expect(await read({}, readDropIns)).toEqual([]);
    expect(await read({ "/etc/eks": "a file" }, readDropIns)).toEqual([]);
  });

  it("that are there are read, or it is said why not", async () => {
    await withTree({ "/etc/eks/nodeadm.d": "a file", "/etc/eks/node-agent.d/a.yaml": { link: "nothing" } }, async (root) => {
      expect((await told(readDropIns(root))).replaceAll(root, "~")).toMatch(/^source-unreadable: Cannot read ~\/etc\/eks\/(nodeadm.d|node-agent.d\/a.yaml) \(a usual place\): (ENOTDIR|there is no such file)$/);
    });
  });
});

it("eksctl's files are those that are there", async () => {
  await withTree({ "/etc/eksctl/kubelet.env": "A=b" }, async (root) => {
    expect(await readEksctlFiles(root)).toEqual({ environment: { source: "/etc/eksctl/kubelet.env", text: "A=b" }, kubeletExtra: undefined });
  });
  await withTree({ "/etc/eksctl/kubelet-extra.json": "{}" }, async (root) => {
    expect(await readEksctlFiles(root)).toEqual({ environment: undefined, kubeletExtra: { source: "/etc/eksctl/kubelet-extra.json", text: "{}" } });
  });
});
