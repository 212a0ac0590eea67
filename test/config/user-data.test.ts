import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { EMPTY_LAYER, type ConfigLayer } from "../../src/config/layer.ts";
import { showProblem } from "../../src/config/problems.ts";
import { parseUserData } from "../../src/config/user-data.ts";

const doc = (name: string) => `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: ${name}\n`;
const TYPE = "Content-Type: application/node.eks.aws\n";
const SCRIPT = "Content-Type: text/x-shellscript\n\n#!/bin/sh\napiVersion: x\n";
const mime = (...parts: readonly string[]) => `Content-Type: multipart/mixed; boundary=B\n\n${parts.map((part) => `--B\n${part}`).join("\n")}\n--B--\n`;
const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");

/** The name of the cluster with its source, the inputs, and all that is said. */
function read(userData: string | Buffer): readonly string[] {
  const { config, inputs, problems, leniencies, notes }: ConfigLayer = parseUserData(Buffer.from(userData));
  const { name } = config.cluster;
  return [
    ...(name === undefined ? [] : [`${name.value} from ${name.source}`]),
    ...inputs.map((input) => `+ ${input}`),
    ...problems.map(showProblem),
    ...leniencies.map((leniency) => `${leniency.code}: ${showProblem(leniency)}`),
    ...notes.map(({ code, message }) => `${code}: ${message}`),
  ];
}

const PLAIN = ["a from user-data", "+ user-data"];
const SECOND = ["a from user-data part 2", "+ user-data part 2"];

describe("parseUserData() finds NodeConfigs", () => {
  it.each<[string, string | Buffer, readonly string[]]>([
    ["as they are", doc("a"), PLAIN],
    ["after a byte order mark", `\uFEFF${doc("a")}`, PLAIN],
    ["with CRLF", doc("a").replaceAll("\n", "\r\n"), PLAIN],
    ["as JSON", '{"apiVersion":"node.eks.aws/v1alpha1","kind":"NodeConfig","spec":{"cluster":{"name":"a"}}}', PLAIN],
    ["behind a comment", `# mine\n---\n${doc("a")}`, PLAIN],
    ["in base64", base64(doc("a")), PLAIN],
    ["in gzip", gzipSync(doc("a")), PLAIN],
    ["in base64 of gzip", base64(gzipSync(doc("a"))), PLAIN],
    ["in two documents, of which the later wins", `${doc("a")}---\n${doc("b")}`, ["b from user-data document 2", "+ user-data document 1", "+ user-data document 2"]],
    ["beside a document of another kind", `kind: Other\n---\n${doc("a")}---\n`, ["a from user-data document 2", "+ user-data document 2"]],
    ["in one part", mime(SCRIPT, `${TYPE}\n${doc("a")}`), SECOND],
    ["in two parts, of which the later wins", mime(`${TYPE}\n${doc("b")}`, `${TYPE}\n${doc("a")}`), ["a from user-data part 2", "+ user-data part 1", "+ user-data part 2"]],
    ["in a part with two documents", mime(SCRIPT, `${TYPE}\n${doc("b")}---\n${doc("a")}`), ["a from user-data part 2 document 2", "+ user-data part 2 document 1", "+ user-data part 2 document 2"]],
    ["in a part in base64", mime(SCRIPT, `${TYPE}Content-Transfer-Encoding: BASE64\n\n${base64(doc("a"))}`), SECOND],
    ["in a part in base64 that does not say so", mime(SCRIPT, `${TYPE}\n${base64(doc("a"))}`), SECOND],
    ["in a part in gzip", Buffer.from(mime(SCRIPT, `${TYPE}\n${gzipSync(doc("a")).toString("latin1")}`), "latin1"), SECOND],
    ["in a part in base64 of gzip", mime(SCRIPT, `${TYPE}Content-Transfer-Encoding: base64\n\n${base64(gzipSync(doc("a")))}`), SECOND],
    ["in a part in quoted-printable", mime(SCRIPT, `${TYPE}Content-Transfer-Encoding: quoted-printable\n\n${doc("a").replace(": a", "=3A =\na")}`), SECOND],
    ["in a text that is one part", `${TYPE}\n${doc("a")}`, PLAIN],
    ["in a multi-part in gzip", gzipSync(mime(SCRIPT, `${TYPE}\n${doc("a")}`)), SECOND],
    ["and nothing in an empty part of their type", mime(SCRIPT, `${TYPE}\n# later\n`), []],
  ])("%s", (_, userData, expected) => {
    expect(read(userData)).toEqual(expected);
  });
});

describe("parseUserData() has nothing to say of", () => {
  it.each<[string, string | Buffer]>([
    ["nothing", ""],
    ["a script", "#!/bin/bash\n/etc/eks/bootstrap.sh my-cluster\n"],
    ["a script that writes a NodeConfig to a file", `#!/bin/bash\ncat > /x <<EOF\n${doc("a")}EOF\n: [\n`],
    ["a #cloud-config", "#cloud-config\nruncmd: [[ls]]\n"],
    ["a #cloud-config that writes a NodeConfig to a file, and is no YAML", `#cloud-config\nwrite_files: [\n${doc("a")}`],
    ["documents of others", "apiVersion: v1\nkind: ConfigMap\n"],
    ["a document of others that names us", "apiVersion: v1\nkind: ConfigMap\nx: node.eks.aws/v1alpha1\n"],
    ["settings in TOML, as Bottlerocket has them", "[settings.kubernetes]\ncluster-name = 'a'\n"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ["a multi-part of scripts", mime(SCRIPT, SCRIPT)],
    ["parts of others that break every rule", mime("no header\nat all", `Content-Type: text/cloud-config\n#cloud-config\n`, "Content-Type: text/x\nContent-Transfer-Encoding: base64\n\n!!")],
  ])("%s", (_, userData) => {
    expect(parseUserData(Buffer.from(userData))).toEqual(EMPTY_LAYER);
  });
});

describe("parseUserData() says what a peer would not mind", () => {
  it.each([
    ["a NodeConfig in a part of another type", mime(`Content-Type: text/yaml\n\n${doc("a")}`), 'mime-type: user-data part 1: It looks like a NodeConfig and does nothing, because its type is "text/yaml": a NodeConfig\'s Content-Type is application/node.eks.aws.'],
    ["another part that is not ended", mime(SCRIPT).replace("--B--\n", ""), 'mime-end: user-data part 1: No line "--B--" ends it, so it may be cut off.'],
    ["another document in a part of a NodeConfig's type", mime(`${TYPE}\nkind: Pod\n`), 'no-node-config: user-data part 1: This document is no NodeConfig, so it does nothing: expected apiVersion: node.eks.aws/v1alpha1 and kind: NodeConfig, and there is no apiVersion and kind "Pod".'],
    ["text in such a part", mime(`${TYPE}\nhello\n`), "no-node-config: user-data part 1: This document is no NodeConfig, so it does nothing: expected apiVersion: node.eks.aws/v1alpha1 and kind: NodeConfig, and there is neither."],
    ["a misspelt kind", doc("a").replace("NodeConfig", "Nodeconfig"), 'no-node-config: user-data: This document is no NodeConfig, so it does nothing: expected apiVersion: node.eks.aws/v1alpha1 and kind: NodeConfig, and there is apiVersion "node.eks.aws/v1alpha1" and kind "Nodeconfig".'],
  ])("%s", (_, userData, expected) => {
    expect(read(userData)).toEqual([expected]);
  });
});

describe("parseUserData() names the part and the rule that it breaks", () => {
  const blank = "A blank line must stand between a part's headers and its content.";
  it.each<[string, string | Buffer, string]>([
    ["a missing blank line", mime(SCRIPT, `${TYPE}${doc("a")}`), `user-data part 2: Cannot read its headers: "apiVersion: node.eks.aws/v1alpha1" is no header. ${blank}`],
    ["one before a comment", mime(SCRIPT, `${TYPE}# mine\n${doc("a")}`), `user-data part 2: Cannot read its headers: "# mine" is no header. ${blank}`],
    ["one before JSON", mime(SCRIPT, `${TYPE}{"kind": "NodeConfig"}`), `user-data part 2: Cannot read its headers: "{\\"kind\\": \\"NodeConfig\\"}" is no header. ${blank}`],
    ["missing headers too", mime(SCRIPT, doc("a")), `user-data part 2: Cannot read its headers: "apiVersion: node.eks.aws/v1alpha1" is no header. ${blank}`],
    ["an end that is missing", mime(SCRIPT, `${TYPE}\n${doc("a")}`).replace("--B--\n", ""), 'user-data part 2: Cannot read it: no line "--B--" ends it, so it may be cut off.'],
    ["an unknown encoding", mime(`${TYPE}Content-Transfer-Encoding: uuencode\n\nx`), 'user-data part 1: Cannot read it: its Content-Transfer-Encoding is "uuencode", and expected is base64, quoted-printable, 7bit, 8bit or binary.'],
    ["base64 that is none", mime(`${TYPE}Content-Transfer-Encoding: base64\n\n${doc("a")}`), "user-data part 1: Cannot read it: it is not base64, although its Content-Transfer-Encoding says so."],
    ["gzip that is cut off", Buffer.from(mime(`${TYPE}\n${gzipSync(doc("a")).subarray(0, 20).toString("latin1")}`), "latin1"), "user-data part 1: Cannot read it: it is gzip that is cut off or damaged (Z_BUF_ERROR)."],
    ["no UTF-8", Buffer.from(mime(`${TYPE}\n# \xff\n`), "latin1"), "user-data part 1: Cannot read it: it is no text in UTF-8."],
    ["no YAML", mime(SCRIPT, `${TYPE}\na: [`), "user-data part 2, line 1: Cannot read this as YAML or JSON: Flow sequence in block collection must be sufficiently indented and end with a ]."],
    ["no YAML outside of a multi-part", `${doc("a")}  b: [`, "user-data, line 6: Cannot read this as YAML or JSON: Flow sequence in block collection must be sufficiently indented and end with a ]."],
    ["no boundary", mime(SCRIPT).replace("boundary=B", "x=B"), "user-data: Cannot split it into parts: its Content-Type, multipart/mixed, names no boundary."],
    ["too much in gzip", gzipSync(Buffer.alloc(9_000_000)), "user-data: Cannot read it: it inflates to more than 8388608 bytes."],
  ])("%s", (_, userData, expected) => {
    expect(read(userData)).toEqual([expected]);
    expect(parseUserData(Buffer.from(userData)).faults).toHaveLength(1);
  });

  it("all of them at once", () => {
    expect(read(mime(`${TYPE}${doc("a")}`, `${TYPE}\na: [`, `${TYPE}\n${doc("c d")}`))).toEqual([
      "+ user-data part 3",
      `user-data part 1: Cannot read its headers: "apiVersion: node.eks.aws/v1alpha1" is no header. ${blank}`,
      "user-data part 2, line 1: Cannot read this as YAML or JSON: Flow sequence in block collection must be sufficiently indented and end with a ].",
      'user-data part 3, line 5, spec.cluster.name: Cannot use "c d": expected at most 100 letters, digits, "-" and "_", of which the first is a letter or digit.',
    ]);
  });

  it("a version that is not known is a problem, and no fault", () => {
    const layer = parseUserData(Buffer.from(doc("a").replace("v1alpha1", "v2")));
    expect(layer.problems.map(showProblem)).toEqual(['user-data, line 1, apiVersion: Cannot use a NodeConfig of "node.eks.aws/v2": this version of the agent knows node.eks.aws/v1alpha1.']);
    expect(layer.faults).toEqual([]);
  });
});

describe("whatever user data is", () => {
  const line = fc.constantFrom("--B", "--B--", "", TYPE.trim(), "Content-Type: multipart/mixed; boundary=B", "Content-Transfer-Encoding: base64", "apiVersion: node.eks.aws/v1alpha1", "kind: NodeConfig", "spec:", "  cluster: {name: a}", "  kubelet: {flags: [x]}", "a: *a", "- [", "---", "\t", "\0", "#!", "YTogYg==");
  const text = fc.array(line).chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => Buffer.from(lines.join(end))));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)), text, text.map((plain) => gzipSync(plain)), text.map((plain) => Buffer.from(plain.toString("base64"))));

  it("it is read to the end, and all that is said names it", () => {
    fc.assert(
      fc.property(bytes, (userData) => {
        const { inputs, problems, leniencies } = parseUserData(userData);
        expect([...inputs, ...[...problems, ...leniencies].map(({ source }) => source)].filter((source) => !/^user-data( part \d+)?( document \d+)?$/.test(source))).toEqual([]);
      }),
    );
  });

  it("the same bytes give the same layer", () => {
    fc.assert(
      fc.property(bytes, (userData) => {
        expect(parseUserData(userData)).toEqual(parseUserData(userData));
      }),
    );
  });

  it.each([
    ["a header of 8 million quotes", `Content-Type: multipart/mixed${';a="\\"'.repeat(1_000_000)}\n\n`],
    ["8 million blank lines", "\n".repeat(8_000_000)],
    ["8 million spaces in base64", `${doc("a")}${" ".repeat(8_000_000)}!`],
    ["a boundary after a million others", `Content-Type: multipart/mixed; boundary=B\n\n${"--B \t \n".repeat(1_000_000)}`],
    ["aliases of aliases", `${doc("a")}x: &a [1, 1]\n${Array.from({ length: 26 }, (_, index) => `y${index}: &b${index} [*${index === 0 ? "a" : `b${index - 1}`}, *${index === 0 ? "a" : `b${index - 1}`}]`).join("\n")}\n`],
    ["ten thousand levels", `${doc("a")}x: ${"[".repeat(10_000)}`],
  ])("%s do not keep it up", (_, userData) => {
    expect(parseUserData(Buffer.from(userData)).config.kubelet.flags).toEqual([]);
  });

  it("a gzip bomb of 1 GiB ends in an error below 100 MiB of memory", () => {
    const script = `
      import { gzipSync } from "node:zlib";
      const bomb = Buffer.concat(Array.from({ length: 1024 }).fill(gzipSync(Buffer.alloc(1024 * 1024))));
      const { parseUserData } = await import(${JSON.stringify(new URL("../../src/config/user-data.ts", import.meta.url).href)});
      const before = process.resourceUsage().maxRSS;
      const { problems } = parseUserData(bomb);
      console.log(JSON.stringify({ problems: problems.map(({ message }) => message), isBelow: process.resourceUsage().maxRSS - before < 100 * 1024 }));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--no-warnings", "--eval", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ problems: ["Cannot read it: it inflates to more than 8388608 bytes."], isBelow: true });
  });
});
