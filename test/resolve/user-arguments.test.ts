import { describe, expect, it } from "vitest";
import { sourced } from "../../src/lib/sourced.ts";
import { lastValue, parseUserArguments, showArgument } from "../../src/resolve/user-arguments.ts";
import { EXTRA_ARGS, userArguments } from "./fixture.ts";

const shown = (...words: readonly string[]): readonly string[] => userArguments(...words).arguments.map(showArgument);
const problems = (...words: readonly string[]): readonly string[] => parseUserArguments([sourced(words, EXTRA_ARGS)]).problems.map(({ message }) => message);

describe("words pair as kubelet's flag parser pairs them", () => {
  it.each<[readonly string[], readonly string[], string]>([
    [["--max-pods=20"], ["--max-pods=20"], "a value of its own"],
    [["--max-pods", "20"], ["--max-pods=20"], "the next word is the value"],
    [["--node-ip", "--v=4"], ["--node-ip=--v=4"], "whatever it looks like"],
    [["--register-node", "--v=4"], ["--register-node", "--v=4"], "a bool never takes the next word"],
    [["--register-node=false"], ["--register-node=false"], "a bool with a value of its own"],
    [["--max_pods", "20"], ["--max-pods=20"], "_ is -"],
    [["--max_pods=a_b"], ["--max-pods=a_b"], "but not in the value"],
    [["-v", "4"], ["--v=4"], "the short form with a space"],
    [["-v4"], ["--v=4"], "the short form without one"],
    [["-v=4"], ["--v=4"], "the short form with ="],
    [["-v=high"], ["--v=high"], "preflight judges the value"],
    [["-h"], ["--h"], "the other short form"],
    [["--max-pods="], ["--max-pods="], "an empty value is one"],
    [["--max-pods", ""], ["--max-pods="], "an empty word is a value"],
    [["--vmodule=a=1,b=2"], ["--vmodule=a=1,b=2"], "only the first = counts"],
    [["--new-flag", "x"], ["--new-flag=x"], "an unknown flag takes a word that is no flag"],
    [["--new-flag", "--v=4"], ["--new-flag", "--v=4"], "and no other"],
    [["--new-flag"], ["--new-flag"], "nor does it need one"],
    [["--new.flag=1"], ["--new.flag=1"], "names that no flag has are preflight's matter"],
    [["--__proto__=1"], ["----proto--=1"], "a hostile name is only a name"],
  ])("%j -> %j (%s)", (words, expected) => {
    expect(shown(...words)).toEqual(expected);
    expect(problems(...words)).toEqual([]);
  });
});

describe("empty items of lists are dropped", () => {
  it.each([
    ["--node-labels=a=b,,c=d,", "--node-labels=a=b,c=d"],
    ["--node-labels=,", "--node-labels="],
    ["--node-labels=a=b, c=d", "--node-labels=a=b,c=d"],
    ["--register-with-taints=,a=b:NoSchedule", "--register-with-taints=a=b:NoSchedule"],
    ["--cluster-dns=10.0.0.10,", "--cluster-dns=10.0.0.10"],
    ["--eviction-hard=memory.available<100Mi,,", "--eviction-hard=memory.available<100Mi"],
    ["--feature-gates=A=true,", "--feature-gates=A=true"],
    ["--root-dir=/a,,b", "--root-dir=/a,,b"],
  ])("%s -> %s", (word, expected) => {
    expect(shown(word)).toEqual([expected]);
  });
});

describe("what kubelet could not be given is a problem", () => {
  const stray = (word: string): string =>
    `Cannot use the word ${JSON.stringify(word)}: it is no flag, and no flag before it takes a value. Kubelet would take it for a command and exit. Quote values that hold spaces.`;

  it.each<[readonly string[], string]>([
    [["a=b"], stray("a=b")],
    [["--max-pods=20", "30"], stray("30")],
    [["--register-node", "false"], stray("false")],
    [["--"], stray("--")],
    [["--=a"], stray("--=a")],
    [["---v=4"], stray("---v=4")],
    [["-max-pods=20"], stray("-max-pods=20")],
    [["-"], stray("-")],
    [[""], stray("")],
    [["--max-pods"], "Cannot use the flag --max-pods: it needs a value, and nothing follows it."],
    [["-v"], "Cannot use the flag --v: it needs a value, and nothing follows it."],
    [["--node-ip"], "Cannot use the flag --node-ip: it needs a value, and nothing follows it."],
    [["--node-labels=a=b\nc"], 'Cannot pass on "--node-labels=a=b\\nc" to kubelet: it contains a line break (U+000A), for which systemd would ignore the whole setting.'],
    [["--root-dir", "/a\u0001"], 'Cannot pass on "/a\\u0001" to kubelet: it contains a control character (U+0001), for which systemd would ignore the whole setting.'],
  ])("%j", (words, problem) => {
    expect(problems(...words)).toEqual([problem]);
  });

  it("all of them, of all texts, are reported with their source", () => {
    const texts = [sourced(["a", "--v=4"], "user-data part 2"), sourced(["--v=5", "b"], EXTRA_ARGS)];
    expect(parseUserArguments(texts).problems).toEqual([
      { source: "user-data part 2", message: stray("a") },
      { source: EXTRA_ARGS, message: stray("b") },
    ]);
  });
});

describe("a text does not reach into the next", () => {
  it("a flag at the end of one does not take the first word of the other", () => {
    const { problems: found, arguments: args } = parseUserArguments([sourced(["--max-pods"], "variable"), sourced(["--v=4"], "option")]);
    expect(args.map(showArgument)).toEqual(["--max-pods", "--v=4"]);
    expect(found).toHaveLength(1);
  });
});

describe("identity flags", () => {
  it("are the last value of each, with its source", () => {
    const { identity } = parseUserArguments([sourced(["--node_ip=10.0.0.1", "--cloud-provider", "aws"], "variable"), sourced(["--node-ip=10.0.0.2"], "option")]);
    expect([...identity]).toEqual([
      ["node-ip", { value: "10.0.0.2", source: "option" }],
      ["cloud-provider", { value: "aws", source: "variable" }],
    ]);
  });

  it("an empty host name is none, an empty cloud provider is one", () => {
    const { identity } = userArguments("--hostname-override=", "--cloud-provider=");
    expect([...identity.keys()]).toEqual(["cloud-provider"]);
  });
});

describe("lastValue()", () => {
  it("is the last occurrence that has a value", () => {
    const { arguments: args } = userArguments("--max-pods=1", "--max-pods=2", "--v=4");
    expect(lastValue(args, "max-pods")).toEqual({ value: "2", source: EXTRA_ARGS });
    expect(lastValue(args, "pods-per-core")).toBeUndefined();
  });
});
