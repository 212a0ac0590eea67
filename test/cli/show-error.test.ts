import { describe, expect, test } from "vitest";
import { showError } from "../../src/cli/show-error.ts";
import { AgentError, EXIT_STATUS, type ErrorCode } from "../../src/errors.ts";

const OPTIONS = { version: "1.2.3", colour: false };

const REPORT = `version: eks-node-agent 1.2.3
remedy: Please report this to the maintainers, with all of these lines. A second try may fare better, but should not have to.
code: bug, exit status 70
`;

describe("an error for the operator", () => {
  test("is a sentence, a remedy and a code", () => {
    const error = new AgentError("config-invalid", 'Cannot use "10.100.0.0" as cluster.cidr: expected an address and a prefix length', { remedy: "Write it as 10.100.0.0/16." });
    expect(showError(error, OPTIONS)).toEqual({
      text: `error: Cannot use "10.100.0.0" as cluster.cidr: expected an address and a prefix length
remedy: Write it as 10.100.0.0/16.
code: config-invalid, exit status 78
`,
      exitStatus: 78,
    });
  });

  test("has its further lines indented below the sentence, and not its cause", () => {
    const error = new AgentError("unit-not-up", "kubelet.service exited with status 1", {
      remedy: "See `journalctl -u kubelet`.",
      lines: ["kubelet[7]: failed to run", "  goroutine 1\nmain.main()"],
      cause: new Error("not shown"),
    });
    expect(showError(error, OPTIONS).text).toBe(`error: kubelet.service exited with status 1
  kubelet[7]: failed to run
    goroutine 1
  main.main()
remedy: See \`journalctl -u kubelet\`.
code: unit-not-up, exit status 69
`);
  });

  test("has its labels in colour where colour is asked for", () => {
    const error = new AgentError("not-root", "Cannot write files", { remedy: "Run it as root." });
    expect(showError(error, { ...OPTIONS, colour: true }).text).toBe(
      "\x1b[1;31merror:\x1b[0m Cannot write files\n\x1b[1mremedy:\x1b[0m Run it as root.\n\x1b[1mcode:\x1b[0m not-root, exit status 77\n",
    );
  });

  test("shows no secret and no escape sequence, in any of its parts", () => {
    const secret = "http://joe:hunter2@proxy:3128 \x1b[2J";
    const clean = "http://joe:<redacted>@proxy:3128 \\u{1b}[2J";
    const error = new AgentError("unreachable", secret, { remedy: secret, lines: [secret, "-----BEGIN PRIVATE KEY-----", "MHcC", "-----END PRIVATE KEY-----"] });
    expect(showError(error, OPTIONS).text).toBe(`error: ${clean}\n  ${clean}\n  <redacted>\nremedy: ${clean}\ncode: unreachable, exit status 75\n`);
  });

  test("shows nothing that its caller cuts out", () => {
    const error = new AgentError("usage", "Cannot use hunter2", { remedy: "Use no hunter2." });
    expect(showError(error, { ...OPTIONS, redact: (text) => text.replaceAll("hunter2", "***") }).text).toBe("error: Cannot use ***\nremedy: Use no ***.\ncode: usage, exit status 64\n");
  });

  test.each(Object.entries(EXIT_STATUS))("with the code %s exits with %i", (code, exitStatus) => {
    expect(showError(new AgentError(code as ErrorCode, "m", { remedy: "r" }), OPTIONS).exitStatus).toBe(exitStatus);
  });
});

describe("a bug", () => {
  test("is shown with its stack, its causes and the version", () => {
    const error = withStack(new TypeError("x is not a function", { cause: withStack(new Error("inner"), "at g (b.ts:3:4)") }), "at f (a.ts:1:2)");
    expect(showError(error, OPTIONS)).toEqual({
      text: `error: This is a bug in eks-node-agent: TypeError: x is not a function
      at f (a.ts:1:2)
  caused by Error: inner
      at g (b.ts:3:4)
${REPORT}`,
      exitStatus: 70,
    });
  });

  test("is what a system error is that nobody has put into words", () => {
    const error = Object.assign(new Error("EISDIR: illegal operation on a directory, read"), { code: "EISDIR", stack: undefined });
    expect(showError(error, OPTIONS)).toEqual({ text: `error: This is a bug in eks-node-agent: Error: EISDIR: illegal operation on a directory, read\n${REPORT}`, exitStatus: 70 });
  });

  test("is what is thrown and is no error", () => {
    expect(showError({ a: 1 }, OPTIONS).text).toBe(`error: This is a bug in eks-node-agent: { a: 1 } was thrown\n${REPORT}`);
  });

  test("shows every one of several errors", () => {
    const error = withStack(new AggregateError([withStack(new Error("one"), "at a"), "two"], "both"), "at b");
    expect(showError(error, OPTIONS).text).toBe(`error: This is a bug in eks-node-agent: AggregateError: both
      at b
  caused by Error: one
      at a
  caused by 'two' was thrown
${REPORT}`);
  });

  test("that is its own cause comes to an end", () => {
    const error = withStack(new Error("m"), "at a");
    error.cause = error;
    expect(showError(error, OPTIONS).text).toBe(`error: This is a bug in eks-node-agent: Error: m\n      at a\n${"  caused by Error: m\n      at a\n".repeat(5)}${REPORT}`);
  });

  test("shows no secret", () => {
    const error = withStack(new Error("no answer of http://joe:hunter2@proxy:3128"), "at a");
    expect(showError(error, OPTIONS).text).toBe(`error: This is a bug in eks-node-agent: Error: no answer of http://joe:<redacted>@proxy:3128\n      at a\n${REPORT}`);
  });
});

/** The same error, thrown at a place that does not change with this file. */
function withStack(error: Error, place: string): Error {
  error.stack = `${error.name}: ${error.message}\n    ${place}`;
  return error;
}
