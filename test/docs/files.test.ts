import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANY_SERVICE, type FileRow, READ, WRITTEN } from "../../packaging/docs/file-table.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { readTree } from "../golden/tree.ts";
import { type DocsNode, IF_SKIPPED, makeDocsNode, NO_DOCS_NODE } from "./docs-node.ts";

import "../build.ts";

const rowOf = (path: string): FileRow | undefined => WRITTEN.find((row) => new RegExp(`^${row.path.replaceAll(".", "\\.").replace(ANY_SERVICE, "[^/]+")}$`).test(path));

test("every path of the code is in the table of those written or of those read", () => {
  const named = new Set([...WRITTEN.map(({ path }) => path), ...READ.map(([path]) => path)]);
  const apart = [PATHS.containerdSocket, PATHS.sociSocket];
  expect(Object.values(PATHS).filter((path) => !named.has(path) && !apart.some((other) => other === path))).toEqual([]);
});

test("every file of every golden case is in the table", () => {
  const golden = join(import.meta.dirname, "../golden");
  const cases = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => join(golden, name, "expected"));
  const paths = new Set(cases.flatMap((folder) => [...readTree(folder).keys()]).map((path) => `/${path}`.replace(/\.block$/, "")));
  const unknown = [...paths].filter((path) => rowOf(path) === undefined && !["/notes.txt", "/error.txt"].includes(path));
  expect(unknown).toEqual([]);
});

describe.skipIf(NO_DOCS_NODE !== undefined)(`what a run leaves behind${IF_SKIPPED}`, () => {
  let node: DocsNode;
  beforeAll(async () => {
    node = await makeDocsNode();
  });
  afterAll(() => node.close());

  test("is in the table, with these modes", async () => {
    const before = new Set(filesOf(node.path));
    const { status, stderr } = await node.shell("eks-node-agent my-cluster --wait none --kubelet-extra-args --v=3");
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const written = filesOf(node.path).filter((path) => !before.has(path));
    const modes = written.map((path) => `${path} ${(statSync(node.path + path).mode & 0o7777).toString(8)}`);
    expect(modes).toEqual(written.map((path) => `${path} ${rowOf(path)?.mode.toString(8)}`));
    expect(written.length).toBeGreaterThan(10);
  });
});

function filesOf(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !path.startsWith("/stubs/"))
    .sort();
}
