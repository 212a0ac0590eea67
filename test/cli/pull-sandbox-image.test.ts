import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { pullSandboxImage } from "../../src/cli/pull-sandbox-image.ts";
import { fakeClock, told } from "../gather/fixture.ts";
import { REGISTRY_LOGIN } from "../simulator/ecr.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../simulator/simulator.ts";
import { commandWorld } from "./command-world.ts";

const HOST = "602401143452.dkr.ecr.us-west-2.amazonaws.com";
const IMAGE = `${HOST}/eks/pause:3.5`;
const LOOK = `ctr --namespace k8s.io images ls -q name==${IMAGE}`;
const PIN = `ctr --namespace k8s.io images label ${IMAGE} io.cri-containerd.pinned=pinned`;

/** A ctr that writes down its calls, and the registry configuration that it is given, with who may read it. */
const CTR = `#!/bin/sh
echo "ctr $*" >>"$CTR_STUB/calls"
case "$*" in
  *" ls "*) cat "$CTR_STUB/present" 2>/dev/null; exit 0 ;;
  *" pull "*) for word in "$@"; do [ -d "$word" ] && case $word in "$RUNTIME_DIRECTORY"/*)
      find "$word" -type f -printf '%m %P\\n' >>"$CTR_STUB/hosts"; find "$word" -type f -exec cat {} + >>"$CTR_STUB/hosts" ;; esac; done
    if [ -e "$CTR_STUB/refuses" ]; then echo "first" >&2; cat "$CTR_STUB/refuses" >&2; exit 1; fi ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ctr-"));
  writeFileSync(join(folder, "ctr"), CTR);
  chmodSync(join(folder, "ctr"), 0o755);
  const runtime = mkdtempSync(join(folder, "run-"));
  for (const [name, value] of Object.entries({ CTR_STUB: folder, RUNTIME_DIRECTORY: runtime, PATH: `${folder}${delimiter}${process.env["PATH"]}` })) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);

async function pull(image = IMAGE, options: SimulatorOptions = {}): Promise<{ readonly outcome: string | number; readonly calls: readonly string[]; readonly logins: number; readonly logged: readonly string[] }> {
  const simulator = await startSimulator(options);
  try {
    const command = await parseCommandLine(["pull-sandbox-image", image], {});
    if (command.kind !== "pull-sandbox-image") throw new Error(`expected pull-sandbox-image, got ${command.kind}`);
    const { world, logged } = commandWorld(simulator.environment);
    const running = pullSandboxImage(command.flags, world, fakeClock());
    const outcome = await running.catch(() => told(running));
    return { outcome, calls: read("calls").trim().split("\n"), logins: logins(simulator), logged: logged() };
  } finally {
    await simulator.close();
  }
}

const logins = ({ requests }: Simulator): number => requests.filter(({ target }) => target === "GetAuthorizationToken").length;

describe("pull-sandbox-image", () => {
  it("asks nobody for an image that is there, and pins it", async () => {
    put("present", `${IMAGE}\n`);
    expect(await pull()).toEqual({ outcome: 0, calls: [LOOK, PIN], logins: 0, logged: ["info the sandbox image is there already"] });
  });

  it("pulls one that is not there with one login, which no command line has", async () => {
    const { outcome, calls, logins: count, logged } = await pull();
    expect([outcome, count, logged]).toEqual([0, 1, ["info the sandbox image was pulled"]]);
    expect(calls).toEqual([LOOK, expect.stringMatching(/^ctr --namespace k8s\.io images pull --hosts-dir \S+\/hosts-\w+ \S+\/eks\/pause:3\.5$/), PIN]);
    expect(read("hosts")).toBe(
      `600 ${HOST}/hosts.toml\nserver = "https://${HOST}"\n\n[host."https://${HOST}"]\ncapabilities = [ "pull", "resolve" ]\n\n[host."https://${HOST}".header]\nAuthorization = "Basic ${REGISTRY_LOGIN}"\n`,
    );
    expect(calls.join("\n")).not.toContain(REGISTRY_LOGIN);
  });

  it("leaves no login behind, whether it worked or not", async () => {
    await pull();
    put("refuses", "ctr: pull access denied\n");
    await pull();
    expect(readdirSync(process.env["RUNTIME_DIRECTORY"] ?? "")).toEqual([]);
  });

  it("fails when the registry refuses, in its words", async () => {
    put("refuses", "ctr: pull access denied\n");
    const { outcome, calls } = await pull();
    expect(outcome).toBe(`unit-not-up: Cannot pull the sandbox image ${IMAGE}: ctr failed with status 1: ctr: pull access denied`);
    expect(calls).toHaveLength(2);
  });

  it("fails when ECR refuses the login", async () => {
    const faults = [{ on: "GetAuthorizationToken", kind: "error", status: 400, name: "AccessDeniedException", message: "no" }] as const;
    const { outcome, calls } = await pull(IMAGE, { faults });
    expect(outcome).toMatch(/^access-denied: Cannot log in to ECR in us-west-2 \(ecr:GetAuthorizationToken\): the node's credentials do not allow ecr:GetAuthorizationToken \(AccessDeniedException: no\)/);
    expect(calls).toEqual([LOOK]);
  });

  it("needs containerd's program", async () => {
    rmSync(join(folder, "ctr"));
    vi.stubEnv("PATH", folder);
    put("calls", "");
    expect((await pull()).outcome).toBe(`program-missing: Cannot look for the sandbox image ${IMAGE}: there is no program "ctr" on PATH`);
  });

  it.each([
    ["registry.k8s.io/pause:3.9", "registry.k8s.io/pause:3.9"],
    ["public.ecr.aws/eks-distro/kubernetes/pause:3.9", "public.ecr.aws/eks-distro/kubernetes/pause:3.9"],
    ["pause", "docker.io/library/pause:latest"],
    ["rancher/pause:3.6", "docker.io/rancher/pause:3.6"],
    ["10.0.0.1:5000/pause:1", "10.0.0.1:5000/pause:1"],
  ])("pulls %s without a login", async (image, full) => {
    const { outcome, calls, logins: count } = await pull(image);
    expect([outcome, count, calls[1]]).toEqual([0, 0, `ctr --namespace k8s.io images pull --hosts-dir /etc/containerd/certs.d ${full}`]);
  });

  it.each([
    [[], "The image is missing"],
    [["a b"], 'Cannot use "a b" as an image: expected a name such as registry.k8s.io/pause:3.9'],
    [["../etc/passwd"], 'Cannot use "../etc/passwd" as an image: expected a name such as registry.k8s.io/pause:3.9'],
    [["a", "b"], '"b" is one word too many: the image is "a" already'],
  ])("refuses %j", async (words, message) => {
    await expect(parseCommandLine(["pull-sandbox-image", ...words], {})).rejects.toMatchObject({ code: "usage", message });
  });
});
