import { describe, expect, it } from "vitest";
import { readScript } from "../../src/config/script.ts";

const SCRIPT = "/etc/eks/bootstrap.sh";

/** Words of each call, after its variables; then what is lost, with its place. */
function read(script: string): { readonly calls: readonly string[]; readonly lost: readonly string[]; readonly lostCalls: readonly string[] } {
  const { calls, losses, lostCalls } = readScript(script, "s");
  const show = ({ words, environment, source }: (typeof calls)[number]): string => [source, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), ...words].join("|");
  return { calls: calls.map(show), lost: losses.map(({ what }) => what), lostCalls: lostCalls.map(({ what }) => what) };
}

describe("a call that is carried over", () => {
  it.each<[string, string, string]>([
    [`${SCRIPT} demo --ip-family ipv4`, "s, line 1|demo|--ip-family|ipv4", "plain"],
    [`#!/bin/bash -xe\n\n${SCRIPT} demo \\\n  --kubelet-extra-args '--a=b --c' \\\n  --ip-family ipv4\n`, "s, line 3|demo|--kubelet-extra-args|--a=b --c|--ip-family|ipv4", "over several lines"],
    [`set -ex\nexport NAME="demo"\nARGS=--a=b\n${SCRIPT} "$NAME" --kubelet-extra-args "$ARGS"`, "s, line 4|demo|--kubelet-extra-args|--a=b", "variables, which the script has set"],
    [`A=1\nB=\${A}2\nB+=3\n${SCRIPT} x$B`, "s, line 4|x123", "of other variables"],
    [`${SCRIPT} demo $NONE_OF`.replace("$NONE_OF", '""'), "s, line 1|demo|", "empty words are kept"],
    [`KUBELET_EXTRA_ARGS='--a b' OTHER=x ${SCRIPT} demo`, "s, line 1|KUBELET_EXTRA_ARGS=--a b|demo", "variables before the call"],
    [`export USE_MAX_PODS=false\nIP_FAMILY=ipv6\n${SCRIPT} demo`, "s, line 3|USE_MAX_PODS=false|demo", "variables of the environment, and no others"],
    [`IP_FAMILY=ipv6\nexport IP_FAMILY\n${SCRIPT} demo`, "s, line 3|IP_FAMILY=ipv6|demo", "exported later"],
    [`declare -x IP_FAMILY=ipv6\n${SCRIPT} demo`, "s, line 2|IP_FAMILY=ipv6|demo", "exported in bash's way"],
    [`exec ${SCRIPT} demo`, "s, line 1|demo", "the script becomes it"],
    [`sudo -E bash -x ${SCRIPT} demo`, "s, line 1|demo", "by way of other programs"],
    [`env IP_FAMILY=ipv6 ${SCRIPT} demo`, "s, line 1|IP_FAMILY=ipv6|demo", "by way of env"],
    ["./bootstrap.sh demo", "s, line 1|demo", "a relative path"],
    [`B=/etc/eks/bootstrap.sh; $B demo`, "s, line 1|demo", "by a variable"],
    ["eks-node-agent bootstrap demo", "s, line 1|demo", "the agent itself"],
    [`${SCRIPT} demo || exit 1`, "s, line 1|demo", "whose failure ends the script"],
    [`exec > >(tee /var/log/user-data.log | logger) 2>&1\n${SCRIPT} demo`, "s, line 2|demo", "of a script that writes a log"],
    [`${SCRIPT} demo >> /var/log/x 2>&1`, "s, line 1|demo", "that writes a log itself"],
    [`f() {\n  echo x\n}\n${SCRIPT} demo`, "s, line 4|demo", "after a function"],
    [`echo "starts"\n${SCRIPT} demo\nexit $?`, "s, line 2|demo", "beside commands that say something"],
  ])("%j: %j (%s)", (script, call) => {
    const { calls, lostCalls } = read(script);
    expect({ calls, lostCalls }).toEqual({ calls: [call], lostCalls: [] });
  });
});

describe("a call that a shell alone understands", () => {
  it.each<[string, string, string]>([
    [`if [ -f /x ]; then\n  ${SCRIPT} demo\nfi`, `s, line 2: ${SCRIPT} demo`, "a condition"],
    [`for i in 1 2 3; do ${SCRIPT} demo && break; done`, `s, line 1: do ${SCRIPT} demo`, "a loop"],
    [`while ! ${SCRIPT} demo; do sleep 5; done`, `s, line 1: while ! ${SCRIPT} demo`, "a loop's condition"],
    [`case $x in\n  a) ${SCRIPT} demo ;;\nesac`, `s, line 2: ${SCRIPT} demo`, "a choice"],
    [`main() {\n  ${SCRIPT} demo\n}\nmain`, `s, line 2: ${SCRIPT} demo`, "a function"],
    [`(${SCRIPT} demo)`, `s, line 1: ${SCRIPT} demo`, "brackets"],
    [`{ ${SCRIPT} demo; }`, `s, line 1: { ${SCRIPT} demo`, "braces"],
    [`test -f /x || ${SCRIPT} demo`, `s, line 1: ${SCRIPT} demo`, "only if a command fails"],
    [`cat x | ${SCRIPT} demo`, `s, line 1: ${SCRIPT} demo`, "input of another command"],
  ])("%j: %j (%s)", (script, lostCall) => {
    const { calls, lostCalls } = read(script);
    expect({ calls, lostCalls }).toEqual({ calls: [], lostCalls: [lostCall] });
  });
});

describe("words that a shell alone understands", () => {
  it.each<[string, string, readonly string[], string]>([
    [`${SCRIPT} demo --b64-cluster-ca "$(aws eks x)" --ip-family ipv4`, "s, line 1|demo|--ip-family|ipv4", [`s, line 1: --b64-cluster-ca "$(aws eks x)"`], "a value, with its option"],
    [`${SCRIPT} demo --kubelet-extra-args=--a=$(x)`, "s, line 1|demo", ["s, line 1: --kubelet-extra-args=--a=$(x)"], "both in one word"],
    [`${SCRIPT} demo $EXTRA`, "s, line 1|demo", ["s, line 1: $EXTRA"], "a variable that the script does not set"],
    [`CA=$(aws x)\n${SCRIPT} demo --b64-cluster-ca $CA`, "s, line 2|demo", ["s, line 2: --b64-cluster-ca $CA"], "a variable of a command's output"],
    [`A=b\nif x; then A=c; fi\n${SCRIPT} demo --cluster-id $A`, "s, line 3|demo", ["s, line 2: if x …", "s, line 3: --cluster-id $A"], "one that may be another"],
    [`A=b\nread A\n${SCRIPT} demo --cluster-id $A`, "s, line 3|demo", ["s, line 3: --cluster-id $A"], "one that is read"],
    [`export B64_CLUSTER_CA=$(aws x)\n${SCRIPT} demo`, "s, line 2|demo", ["s, line 2: the environment's B64_CLUSTER_CA"], "a variable of the environment"],
    [`${SCRIPT} demo --kubelet-extra-args --max-pods=$(x)`, "s, line 1|demo", ["s, line 1: --kubelet-extra-args --max-pods=$(x)"], "a value that looks like an option"],
    [`${SCRIPT} $(name)`, "s, line 1", ["s, line 1: $(name)"], "the name"],
  ])("%j: %j, without %j (%s)", (script, call, lost) => {
    expect(read(script)).toEqual({ calls: [call], lost, lostCalls: [] });
  });
});

describe("other commands", () => {
  it.each<[string, readonly string[], string]>([
    ["set -o errexit\nshopt -s x\ntrue\nexit 0\necho done", [], "without an effect outside of the script"],
    ["echo a > /etc/x\necho b >> /etc/y", ["s, line 1: echo a > /etc/x", "s, line 2: echo b >> /etc/y"], "that write a file"],
    ["echo a >&2\necho b 2>/dev/null\necho c > /dev/null", [], "that write none"],
    ["yum install -y x\nsystemctl \\\n  restart y", ["s, line 1: yum install -y x", "s, line 2: systemctl \\\n  restart y"], "each"],
    ["if [ a ]; then\n  b\n  c\nfi\nd", ["s, line 1: if [ a ] …", "s, line 5: d"], "a condition as one"],
    ["cat > /etc/x <<END\n/etc/eks/bootstrap.sh other\nEND", ["s, line 1: cat > /etc/x <<END"], "a file that is written, by its first line"],
    ["sed -i s/a/b/ /etc/eks/bootstrap.sh", ["s, line 1: sed -i s/a/b/ /etc/eks/bootstrap.sh"], "that change bootstrap.sh"],
    ["source /etc/profile", ["s, line 1: source /etc/profile"], "another script"],
    ["A=$(x)\nexport B=c\nunset A", [], "variables are none"],
  ])("%j: %j (%s)", (script, lost) => {
    expect(read(script)).toEqual({ calls: [], lost, lostCalls: [] });
  });
});

it("a variable that doubles without end is of no use, and no danger", () => {
  expect(read(`A=x\n${"A=$A$A\n".repeat(100)}${SCRIPT} demo --cluster-id $A`)).toEqual({ calls: ["s, line 102|demo"], lost: ["s, line 102: --cluster-id $A"], lostCalls: [] });
});

it("more calls than one, in their order", () => {
  expect(read(`${SCRIPT} a\n${SCRIPT} b`).calls).toEqual(["s, line 1|a", "s, line 2|b"]);
});
