import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkContainerdConfig } from "../../src/apply/check-containerd.ts";
import { machineAt } from "../../src/apply/machine.ts";
import { render } from "../../src/render/plan.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { facts, nodeConfig } from "../resolve/fixture.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "check-containerd-"));
  mkdirSync(join(root, "tmp"));
  // Where the directory for the check is made.
  vi.stubEnv("TMPDIR", join(root, "tmp"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const place = (path: string, contents: string, mode = 0o644): void => {
  mkdirSync(dirname(root + path), { recursive: true });
  writeFileSync(root + path, contents);
  chmodSync(root + path, mode);
};
const PROGRAM = "/usr/bin/containerd";
const check = (contents: string, program: string | undefined = PROGRAM): Promise<unknown> => checkContainerdConfig(machineAt(root), { program, contents });

describe("what containerd says of a configuration", () => {
  const stub = (script: string): void => place(PROGRAM, `#!/bin/sh\n${script}\n`, 0o755);

  it("is asked of a copy that nobody else can read, and that is gone afterwards", async () => {
    stub(`echo "$@" >${root}/args; cat "$2" >${root}/config; stat -c %a "$2" "$(dirname "$2")" >${root}/modes`);
    expect(await check('imports = [ "/etc/containerd/config.d/*.toml" ]\n')).toEqual({ kind: "accepted" });
    const [, path = ""] = readFileSync(join(root, "args"), "utf8").trim().split(" ");
    expect(readFileSync(join(root, "args"), "utf8")).toBe(`--config ${path} config dump\n`);
    expect(readFileSync(join(root, "config"), "utf8")).toBe(`imports = [ "${root}/etc/containerd/config.d/*.toml" ]\n`);
    expect(readFileSync(join(root, "modes"), "utf8")).toBe("600\n700\n");
    expect([dirname(dirname(path)), readdirSync(join(root, "tmp"))]).toEqual([join(root, "tmp"), []]);
  });

  it.each([
    ["refused", 'echo "containerd: failed to load TOML: $2: (3, 2): unexpected token" >&2; exit 1', "failed to load TOML: /etc/containerd/config.toml: (3, 2): unexpected token"],
    ["unchecked", 'echo "containerd: failed to load TOML: open /x.toml: permission denied" >&2; exit 1', "failed to load TOML: open /x.toml: permission denied"],
    ["unchecked", "echo 'error while loading shared libraries' >&2; exit 127", "@ROOT@/usr/bin/containerd ended with exit status 127: error while loading shared libraries"],
    ["unchecked", "kill -ABRT $$", "@ROOT@/usr/bin/containerd ended with SIGABRT: "],
  ])("%s: %s", async (kind, script, why) => {
    stub(script);
    expect(await check("version = 2\n")).toEqual({ kind, why: why.replace("@ROOT@", root) });
    expect(readdirSync(join(root, "tmp"))).toEqual([]);
  });

  it("is not known without containerd", async () => {
    expect(await checkContainerdConfig(machineAt(root), { program: undefined, contents: "" })).toEqual({ kind: "unchecked", why: "there is no containerd" });
  });

  it("is not known when it cannot be run", async () => {
    place(PROGRAM, "no program", 0o644);
    expect(await check("")).toEqual({ kind: "unchecked", why: `spawn ${root}${PROGRAM} EACCES` });
  });

  it("is not known when there is no room for a copy", async () => {
    stub("exit 0");
    rmSync(join(root, "tmp"), { recursive: true });
    expect(await check("")).toMatchObject({ kind: "unchecked", why: expect.stringMatching(/^ENOENT: .* mkdtemp /) as string });
  });

  it("is not waited for when the run is ended", async () => {
    stub("exec sleep 60");
    const ending = new Error("SIGTERM");
    const verdict = checkContainerdConfig(machineAt(root), { program: PROGRAM, contents: "" }, AbortSignal.abort(ending));
    await expect(verdict).rejects.toBe(ending);
    expect(readdirSync(join(root, "tmp"))).toEqual([]);
  });
});

const REAL = ["/usr/bin/containerd", "/usr/local/bin/containerd"].find((path) => existsSync(path));

/** As the agent writes it for containerd 1, which is Debian's. */
function planned(user = ""): string {
  const containerdVersion = { value: { version: "1.6.20", source: "containerd --version" } };
  const files = render(resolveNode(nodeConfig(), facts({ containerdVersion }))).files;
  return `${files.find(({ path }) => path === PATHS.containerdConfig)?.contents ?? ""}${user}`;
}

describe.skipIf(REAL === undefined)("containerd itself (skipped where it is not installed)", () => {
  const ask = (contents: string): Promise<unknown> => checkContainerdConfig(machineAt(), { program: REAL, contents });

  it("accepts what the agent writes", async () => {
    expect(await ask(planned())).toEqual({ kind: "accepted" });
  });

  it.each([
    ["a value of the wrong type", '\n[plugins."io.containerd.grpc.v1.cri".image_decryption]\nkey_model = 3\n', "Can't convert 3(int64) to string"],
    ["what is no TOML", "\n[plugins\n", "failed to load TOML: /etc/containerd/config.toml: "],
  ])("refuses %s", async (_, settings, words) => {
    expect(await ask(planned(settings))).toMatchObject({ kind: "refused", why: expect.stringContaining(words) as string });
  });
});
