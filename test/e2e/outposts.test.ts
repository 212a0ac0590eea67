import { expect } from "vitest";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { BOOTSTRAP_ARGS, CA, kubeletState } from "./node.ts";

const HOST = "api.outpost.example";
const ARGS = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", `https://${HOST}:6443`, "--dns-cluster-ip", "172.20.0.10", "--enable-local-outpost", "true", "--cluster-id", "c0ffee"];

/** A name server of one name: it fails as often as /etc/dns/failures says, then gives the addresses of /etc/dns/addresses. */
const NAME_SERVER = `#!/usr/bin/python3
import socket, struct
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
while True:
    query, client = server.recvfrom(512)
    end = query.index(b"\\0", 12) + 5
    failures = int(open("/etc/dns/failures").read())
    if failures > 0:
        open("/etc/dns/failures", "w").write(str(failures - 1))
        server.sendto(query[:2] + b"\\x81\\x82\\0\\1\\0\\0\\0\\0\\0\\0" + query[12:end], client)
        continue
    addresses = open("/etc/dns/addresses").read().split()
    records = b"".join(b"\\xc0\\x0c\\0\\1\\0\\1\\0\\0\\0\\x3c\\0\\4" + socket.inet_aton(address) for address in addresses)
    server.sendto(query[:2] + b"\\x81\\x80\\0\\1" + struct.pack(">H", len(addresses)) + b"\\0\\0\\0\\0" + query[12:end] + records, client)
`;

async function startNameServer(bed: Bed, failures: number, ...addresses: readonly string[]): Promise<void> {
  bed.write("/usr/local/bin/name-server", NAME_SERVER, 0o755);
  bed.write("/etc/resolv.conf", "nameserver 127.0.0.1\n");
  answerWith(bed, failures, ...addresses);
  await bed.must("systemd-run", "--quiet", "--unit=name-server", "/usr/local/bin/name-server");
}

function answerWith(bed: Bed, failures: number, ...addresses: readonly string[]): void {
  bed.write("/etc/dns/failures", `${failures}`);
  bed.write("/etc/dns/addresses", addresses.join("\n"));
}

const linesOf = (bed: Bed): readonly string[] => bed.read("/etc/hosts").split("\n").filter((line) => line.endsWith(HOST));

describeBeds("a local cluster on Outposts", (test) => {
  test("is joined by a name server that fails twice; another run takes over other addresses, and leaves the other lines alone", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write("/etc/hosts", "127.0.0.1 localhost\n10.9.9.9 own.example # ours");
    await startNameServer(bed, 2, "10.0.1.51", "10.0.1.52");
    expect(await bed.agent(...ARGS)).toMatchObject({ status: 0 });
    expect([...linesOf(bed)].sort()).toEqual([`10.0.1.51 ${HOST}`, `10.0.1.52 ${HOST}`]);
    expect(bed.read("/etc/dns/failures")).toBe("0");
    expect(await kubeletState(bed)).toBe("active");

    answerWith(bed, 0, "10.0.1.62", "10.0.1.61");
    expect(await bed.agent(...ARGS)).toMatchObject({ status: 0 });
    expect([...linesOf(bed)].sort()).toEqual([`10.0.1.61 ${HOST}`, `10.0.1.62 ${HOST}`]);
    expect(bed.read("/etc/hosts").startsWith("127.0.0.1 localhost\n10.9.9.9 own.example # ours\n# BEGIN eks-node-agent")).toBe(true);

    const before = bed.read("/etc/hosts");
    answerWith(bed, 0, "10.0.1.61", "10.0.1.62");
    expect((await bed.agent(...ARGS)).stdout).toContain("No changes.");
    expect(bed.read("/etc/hosts")).toBe(before);
  });

  test("goes on with the addresses that it has when it is cut off from its name servers", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await startNameServer(bed, 0, "10.0.1.51");
    expect(await bed.agent(...ARGS)).toMatchObject({ status: 0 });
    answerWith(bed, 1000);
    expect(await bed.agent(...ARGS)).toMatchObject({ status: 0 });
    expect(linesOf(bed)).toEqual([`10.0.1.51 ${HOST}`]);
  });

  test("has no kubeconfig of the regular cluster before it, keeps kubelet's own, and loses its lines when it is one no more", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await startNameServer(bed, 0, "10.0.1.51");
    expect(await bed.agent(...BOOTSTRAP_ARGS)).toMatchObject({ status: 0 });
    expect(await bed.agent(...ARGS)).toMatchObject({ status: 0 });
    expect([bed.exists("/var/lib/kubelet/kubeconfig"), bed.exists("/var/lib/kubelet/bootstrap-kubeconfig")]).toEqual([false, true]);

    const own = `clusters:\n- cluster:\n    server: https://${HOST}:6443\n`;
    bed.write("/var/lib/kubelet/kubeconfig", own, 0o600);
    expect((await bed.agent(...ARGS)).stdout).toContain("No changes.");
    expect(bed.read("/var/lib/kubelet/kubeconfig")).toBe(own);

    expect(await bed.agent(...BOOTSTRAP_ARGS)).toMatchObject({ status: 0 });
    expect([linesOf(bed), bed.exists("/var/lib/kubelet/bootstrap-kubeconfig")]).toEqual([[], false]);
  });
});
