import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readOldUserData } from "../../src/config/old-user-data.ts";

const CALL = "/etc/eks/bootstrap.sh demo --ip-family ipv4";
const NODE_CONFIG = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {cluster: {name: demo}}\n";

type Read = { readonly calls?: readonly string[]; readonly lost?: readonly string[]; readonly inputs?: readonly string[]; readonly problems?: readonly string[] };

function read(text: string | Buffer): Read {
  const { calls, losses, lostCalls, layer } = readOldUserData(Buffer.from(text), "user-data");
  const parts = {
    calls: calls.map(({ words, source }) => `${source}: ${words.join("|")}`),
    lost: [...lostCalls, ...losses].map(({ what }) => what),
    inputs: layer.inputs,
    problems: layer.problems.map(({ source, message }) => `${source}: ${message}`),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, found]) => found.length > 0));
}

function mime(...parts: readonly string[]): string {
  return ['MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n', ...parts.map((part) => `--B\n${part}`), "--B--\n"].join("\n");
}

describe("a script", () => {
  it.each<[string, string | Buffer, Read]>([
    ["with its first line", `#!/bin/bash\n${CALL}\n`, { calls: ["user-data, line 2: demo|--ip-family|ipv4"] }],
    ["without", `${CALL}\n`, { calls: ["user-data, line 1: demo|--ip-family|ipv4"] }],
    ["with the line ends of Windows", `#!/bin/bash\r\n${CALL} \\\r\n  --cluster-id x\r\n`, { calls: ["user-data, line 2: demo|--ip-family|ipv4|--cluster-id|x"] }],
    ["in base64", Buffer.from(`#!/bin/bash\n${CALL}\n`).toString("base64"), { calls: ["user-data, line 2: demo|--ip-family|ipv4"] }],
    ["in gzip", gzipSync(`#!/bin/bash\n${CALL}\n`), { calls: ["user-data, line 2: demo|--ip-family|ipv4"] }],
    ["in gzip in base64", gzipSync(`#!/bin/bash\n${CALL}\n`).toString("base64"), { calls: ["user-data, line 2: demo|--ip-family|ipv4"] }],
    ["that says node.eks.aws somewhere", `#!/bin/bash\n# not node.eks.aws\n${CALL}\n`, { calls: ["user-data, line 3: demo|--ip-family|ipv4"] }],
    ["without a call", "#!/bin/bash\nyum -y install x\n", { lost: ["user-data, line 2: yum -y install x"] }],
    ["for another program", "#!/usr/bin/env python3\nimport os\n", { lost: ["user-data: a script for /usr/bin/env python3"] }],
    ["by way of env", `#!/usr/bin/env bash\n${CALL}\n`, { calls: ["user-data, line 2: demo|--ip-family|ipv4"] }],
    ["that is too long", gzipSync(`#!/bin/bash\n${"a".repeat(1024 * 1024)}`), { lost: ["user-data: a script of 1048588 characters, too long to be read"] }],
    ["of nothing", "", {}],
    ["that is no text", Buffer.from([0xff, 0xfe, 0x00]), { lost: ["user-data: 3 bytes that are no text"] }],
    ["that is damaged", gzipSync(CALL).subarray(0, 20), { problems: ["user-data: Cannot read it: it is gzip that is cut off or damaged (Z_BUF_ERROR)."] }],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("NodeConfigs", () => {
  it.each<[string, string, Read]>([
    ["by itself", NODE_CONFIG, { inputs: ["user-data"] }],
    ["two of them", `${NODE_CONFIG}---\n${NODE_CONFIG}`, { inputs: ["user-data document 1", "user-data document 2"] }],
    ["with a fault", NODE_CONFIG.replace("demo", "[]"), { inputs: ["user-data"], problems: ["user-data: Cannot use a list: expected text."] }],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("MIME", () => {
  it.each<[string, string, Read]>([
    ["a script among others", mime(`Content-Type: text/x-shellscript\n\n#!/bin/bash\n${CALL}\n`, "Content-Type: text/cloud-config\n\n#cloud-config\npackages: [x]\n"), { calls: ["user-data part 1, line 2: demo|--ip-family|ipv4"], lost: ["user-data part 2, packages"] }],
    ["a part in base64", mime(`Content-Type: text/x-shellscript\nContent-Transfer-Encoding: base64\n\n${Buffer.from(CALL).toString("base64")}\n`), { calls: ["user-data part 1, line 1: demo|--ip-family|ipv4"] }],
    ["a NodeConfig beside a script", mime(`Content-Type: application/node.eks.aws\n\n${NODE_CONFIG}`, "Content-Type: text/x-shellscript\n\n#!/bin/sh\nx\n"), { inputs: ["user-data part 1"], lost: ["user-data part 2, line 2: x"] }],
    ["a part that is cut off", mime(`Content-Type: text/x-shellscript\n\n${CALL}\n`).replace("--B--\n", ""), { problems: ["user-data part 1: Cannot read it: it is cut off, or no blank line stands between its headers and its content."] }],
    ["no part", 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n', { problems: ['user-data: Cannot split it into parts: no line is "--B", which begins one.'] }],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("a cloud-config", () => {
  it.each<[string, string, Read]>([
    ["a command as a list of words", "runcmd:\n  - [/etc/eks/bootstrap.sh, demo, --kubelet-extra-args, '--a=$b c']", { calls: ["user-data, line 3: demo|--kubelet-extra-args|--a=$b c"] }],
    ["a command as a text", `runcmd:\n  - ${CALL} --cluster-id 'a b'`, { calls: ["user-data, line 3: demo|--ip-family|ipv4|--cluster-id|a b"] }],
    ["all commands are one script", `runcmd:\n  - A=x\n  - ${CALL} --cluster-id $A`, { calls: ["user-data, line 4: demo|--ip-family|ipv4|--cluster-id|x"] }],
    ["other commands, and other keys", `packages: [x]\nbootcmd: [[y]]\nruncmd: [[z, a b], z b]`, { lost: ["user-data, packages", "user-data, bootcmd", "user-data, line 4: z a b", "user-data, line 4: z b"] }],
    ["a script that it writes and runs", `write_files:\n  - path: /x.sh\n    content: |\n      #!/bin/bash\n      ${CALL}\n      y\nruncmd: [[/x.sh]]`, { calls: ["user-data, file /x.sh, line 2: demo|--ip-family|ipv4"], lost: ["user-data, file /x.sh, line 3: y"] }],
    ["one that bash runs, in base64", `write_files:\n  - path: /x.sh\n    encoding: b64\n    content: ${Buffer.from(`#!/bin/sh\n${CALL}`).toString("base64")}\nruncmd: [bash /x.sh]`, { calls: ["user-data, file /x.sh, line 2: demo|--ip-family|ipv4"] }],
    ["a file in gzip", `write_files:\n  - path: /x.sh\n    encoding: gz+b64\n    content: ${gzipSync(`#!/bin/sh\n${CALL}`).toString("base64")}\nruncmd: [/x.sh]`, { calls: ["user-data, file /x.sh, line 2: demo|--ip-family|ipv4"] }],
    ["a script that nothing runs", `write_files: [{path: /x.sh, content: "#!/bin/bash\\n${CALL}"}]`, { lost: ["user-data, file /x.sh"] }],
    ["a file that is no configuration", "write_files: [{path: /etc/x, content: y}]", { lost: ["user-data, file /etc/x"] }],
    ["a NodeConfig among the agent's", `write_files:\n  - path: /etc/eks/nodeadm.d/x.yaml\n    content: '{"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": {"cluster": {"name": "demo"}}}'`, { inputs: ["user-data, file /etc/eks/nodeadm.d/x.yaml"] }],
    ["eksctl's files, without its scripts", "write_files:\n  - {path: /etc/eksctl/kubelet.env, content: CLUSTER_NAME=demo}\n  - {path: /var/lib/cloud/scripts/eksctl/bootstrap.al2.sh, content: '#!/bin/bash'}\nruncmd: [[/var/lib/cloud/scripts/eksctl/bootstrap.al2.sh]]", { inputs: ["user-data, file /etc/eksctl/kubelet.env"] }],
    ["no YAML", "runcmd: [", { problems: ["user-data: Cannot read this cloud-config: it is no YAML of names and values."] }],
    ["nothing", "", { problems: ["user-data: Cannot read this cloud-config: it is no YAML of names and values."] }],
  ])("%s", (_, text, expected) => {
    expect(read(`#cloud-config\n${text}\n`)).toEqual(expected);
  });

  it("as a template of Jinja, of which the variables are not known", () => {
    expect(read(`## template: jinja\n#cloud-config\nruncmd: ["${CALL} --cluster-id {{ v1.region }}"]\n`)).toEqual({
      calls: ["user-data, line 3: demo|--ip-family|ipv4|--cluster-id|{{|v1.region|}}"],
      lost: ["user-data: a template with variables of cloud-init's"],
    });
  });

  it("as a template of Jinja without variables", () => {
    expect(read(`## template: jinja\n#cloud-config\nruncmd: [${JSON.stringify(CALL)}]\n`)).toEqual({ calls: ["user-data, line 3: demo|--ip-family|ipv4"] });
  });
});
