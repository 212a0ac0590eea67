import { expect, inject } from "vitest";
import { makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";

describeBeds("the bed itself", (test) => {
  test("boots, and everything in it has started", async () => {
    await using bed = await makeBed();
    expect(await bed.booted()).toBe("running");
    expect(await bed.must("systemctl", "--failed", "--plain", "--no-legend")).toBe("");
    expect(await bed.must("rpm", "-q", "eks-node-agent", "eks-node-agent-compat")).not.toContain("not installed");
  });

  test("reaches IMDS at its address, with a token only", async () => {
    await using bed = await makeBed();
    await bed.boot();
    const status = 'curl --silent --output /dev/null --write-out "%{http_code}"';
    expect(await bed.must("sh", "-c", `${status} http://169.254.169.254/latest/meta-data/mac`)).toBe("401");
    const token = 'curl --silent -X PUT -H "x-aws-ec2-metadata-token-ttl-seconds: 60" http://169.254.169.254/latest/api/token';
    expect(await bed.must("sh", "-c", `curl --silent -H "x-aws-ec2-metadata-token: $(${token})" http://169.254.169.254/latest/meta-data/mac`)).toBe("02:01:23:45:67:89");
  });

  test("has cloud-init's user data from IMDSv2", async () => {
    await using bed = await makeBed({ cloudInit: true });
    await bed.cloud.setWorld({ userData: "#cloud-config\nruncmd:\n- [sh, -c, 'echo ran > /var/log/ran']\n" });
    expect(await bed.booted()).toBe("running");
    expect(bed.read("/var/log/ran")).toBe("ran\n");
    expect(bed.read("/run/cloud-init/result.json")).toContain("DataSourceEc2");
  });

  test.each([
    ["black-hole", 28],
    ["refused", 7],
    ["unreachable", 7],
  ] as const)("has a network that is broken by %s, and mended", async (fault, curlStatus) => {
    await using bed = await makeBed();
    await bed.boot();
    const curl = ["curl", "--silent", "--connect-timeout", "1", "http://169.254.169.254/"];
    await bed.breakNetwork(fault);
    expect((await bed.run(curl)).status).toBe(curlStatus);
    await bed.breakNetwork(undefined);
    expect((await bed.run(curl)).status).toBe(0);
  });

  test("crashes and boots again, with its disk", async () => {
    await using bed = await makeBed();
    await bed.boot();
    await bed.must("sh", "-c", "echo kept > /var/kept");
    await bed.crash();
    await bed.boot();
    expect(bed.read("/var/kept")).toBe("kept\n");
  });

  test("passes exit statuses on", async () => {
    await using bed = await makeBed();
    await bed.boot();
    expect((await bed.run(["sh", "-c", "exit 42"])).status).toBe(42);
    expect((await bed.runUnit(["sh", "-c", "exit 43"])).status).toBe(43);
  });

  test("is made from the packages that npm run rpm makes", () => expect(inject("beds").packages).toHaveLength(2));
});
