import { expect } from "vitest";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { until } from "./bed/until.ts";
import { BOOTSTRAP_ARGS, kubeletState } from "./node.ts";

const IMAGE = "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5";

/** In place of containerd's own: there is no registry here. It writes down what it is called with. */
const CTR = `#!/bin/sh
echo "$*" >> /var/log/ctr
case "$*" in
  *" ls "*) cat /var/lib/images 2>/dev/null ;;
  *" pull "*) for last in "$@"; do :; done; echo "$last" >> /var/lib/images ;;
esac
exit 0
`;

function prepare(bed: Bed): void {
  bed.write("/usr/local/bin/ctr", CTR, 0o755);
  bed.write("/etc/systemd/system/sandbox-image.service.d/bed.conf", "[Service]\nEnvironment=AWS_ENDPOINT_URL_ECR=http://10.0.1.1\nRestartSec=1\n");
}

const callsOf = (bed: Bed): readonly string[] => (bed.exists("/var/log/ctr") ? bed.read("/var/log/ctr").trim().split("\n") : []).map((line) => line.replace(/^.* images (\w+) .*$/, "$1"));
const logins = async (bed: Bed): Promise<number> => (await bed.cloud.requests()).filter(({ target }) => target === "GetAuthorizationToken").length;
const isDone = async (bed: Bed): Promise<boolean> => (await bed.show("sandbox-image.service", "SubState"))["SubState"] === "exited";

describeBeds("the unit of the sandbox image", (test) => {
  test("pulls it with one login and pins it; at the next boot it is there, and nobody is asked", async () => {
    await using bed = await makeBed();
    await bed.booted();
    prepare(bed);
    expect(await bed.agent(...BOOTSTRAP_ARGS)).toMatchObject({ status: 0 });
    await until("the unit is done", () => isDone(bed));
    expect([callsOf(bed), await logins(bed), bed.read("/var/lib/images")]).toEqual([["ls", "pull", "label"], 1, `${IMAGE}\n`]);
    expect(await bed.must("ls", "-A", "/run/eks-node-agent-pull")).toBe("");
    expect((await bed.agent(...BOOTSTRAP_ARGS)).stdout).toContain("No changes.");

    await bed.powerOff();
    await bed.booted();
    await until("the unit is done", () => isDone(bed));
    expect([callsOf(bed), await logins(bed)]).toEqual([["ls", "pull", "label", "ls", "label"], 1]);
  });

  test("is tried again while the login is refused, and the node is up meanwhile", async () => {
    await using bed = await makeBed();
    await bed.booted();
    prepare(bed);
    await bed.cloud.setFaults([{ on: "GetAuthorizationToken", kind: "error", status: 400, name: "AccessDeniedException" }]);
    const { status } = await bed.agent(...BOOTSTRAP_ARGS);
    expect([status, await kubeletState(bed)]).toEqual([0, "active"]);
    await until("systemd has started it again", async () => Number((await bed.show("sandbox-image.service", "NRestarts"))["NRestarts"]) > 0, 60_000);
    expect(await bed.journal("sandbox-image.service")).toContain("the node's credentials do not allow ecr:GetAuthorizationToken");
    await bed.cloud.setFaults([]);
    await until("the unit is done", () => isDone(bed), 60_000);
    expect(callsOf(bed).slice(-2)).toEqual(["pull", "label"]);
    expect(await kubeletState(bed)).toBe("active");
  });
});
