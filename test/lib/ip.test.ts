import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/errors.ts";
import { cidrFamily, hasTenthAddress, isWithin, parseAddress, parseCidr, showCidr, tenthAddress } from "../../src/lib/ip.ts";

describe("parseAddress() writes an address in its one form", () => {
  it.each([
    ["10.0.0.1", { family: "ipv4", text: "10.0.0.1" }],
    ["2001:DB8:0:0:0:0:0:1", { family: "ipv6", text: "2001:db8::1" }],
    ["2001:db8:0:1:1:1:1:1", { family: "ipv6", text: "2001:db8:0:1:1:1:1:1" }],
    ["1:0:0:2:0:0:0:3", { family: "ipv6", text: "1:0:0:2::3" }],
    ["1:0:0:2:3:0:0:4", { family: "ipv6", text: "1::2:3:0:0:4" }],
    ["fd00:ec2::254", { family: "ipv6", text: "fd00:ec2::254" }],
    ["::", { family: "ipv6", text: "::" }],
  ])("%s -> %j", (text, address) => {
    expect(parseAddress(text)).toEqual(address);
  });
});

describe("parseAddress() takes no address that programs disagree about", () => {
  it.each([
    "", " ", "10.1", "10", "167772161", "0x0a000001", "010.0.0.1", "10.0.0.256", "10.0.0.1 ", "10.0.0.1/32",
    "::ffff:10.0.0.1", "::ffff:a00:1", "fe80::1%eth0", "[::1]", "1::2::3", "12345::", "None",
  ])("%j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("parseCidr() keeps the network, whichever address of it was written", () => {
  it.each([
    ["172.20.0.0/16", "172.20.0.0/16"],
    ["172.20.5.7/16", "172.20.0.0/16"],
    ["10.255.255.255/12", "10.240.0.0/12"],
    ["1.2.3.4/32", "1.2.3.4/32"],
    ["1.2.3.4/0", "0.0.0.0/0"],
    ["FD30::/108", "fd30::/108"],
    ["fd00:1:2:3:4:5:6:1fff/116", "fd00:1:2:3:4:5:6:1000/116"],
    ["::1/128", "::1/128"],
  ])("%s -> %s", (text, shown) => {
    const cidr = parseCidr(text);
    expect(cidr && showCidr(cidr)).toBe(shown);
    expect(cidr?.family).toBe(shown.includes(":") ? "ipv6" : "ipv4");
  });

  it.each(["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.0/255.0.0.0", "10.1/16", "::/129", "::ffff:10.100.0.0/112", "10.0.0.0/16 ", "None"])(
    "%j is no block",
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
    },
  );
});

describe("tenthAddress() is the network address + 10", () => {
  it.each([
    ["10.100.0.0/16", "10.100.0.10", "EKS's own choice"],
    ["172.20.0.0/16", "172.20.0.10", "EKS's other choice"],
    ["192.168.0.0/24", "192.168.0.10", "smallest block that EKS allows"],
    ["172.16.0.0/12", "172.16.0.10", "largest block that EKS allows"],
    ["10.100.5.7/16", "10.100.0.10", "host bits are masked"],
    ["172.20.5.7/16", "172.20.0.10", "host bits are masked"],
    ["10.0.0.240/28", "10.0.0.250", "smallest block that has one"],
    ["fc00::/7", "fc00::a", ""],
    ["fd30:1c53:5f8a::/108", "fd30:1c53:5f8a::a", "what EKS gives an IPv6 cluster"],
    ["fd00:1:2:3:4:5:6:0/112", "fd00:1:2:3:4:5:6:a", ""],
    ["fd00::10/124", "fd00::1a", "an a put at the end of the text would be fd00::10a"],
    ["fd00:1:2:3:4:5:6:1000/116", "fd00:1:2:3:4:5:6:100a", "an a put at the end of the text would be no address"],
    ["FD30::/108", "fd30::a", "lower case"],
  ])("%s -> %s %s", (cidr, address) => {
    expect(tenthAddress(cidr)).toBe(address);
  });

  it.each([
    ["10.100.0.0/28", true],
    ["10.100.0.0/29", false],
    ["fd00::/124", true],
    ["fd00::/125", false],
  ])("%s has one: %s", (text, has) => {
    const cidr = parseCidr(text);
    expect(cidr && hasTenthAddress(cidr)).toBe(has);
  });

  it("a block that ends before is refused by name", () => {
    expect(() => tenthAddress("10.100.0.0/29")).toThrow(
      new AgentError("config-invalid", 'Cannot take the tenth address of "10.100.0.0/29" for the cluster DNS: the block is too small', {
        remedy: "Give the cluster's service CIDR as `aws eks describe-cluster` shows it, or --dns-cluster-ip.",
      }),
    );
  });

  it("lies in its block", () => {
    const ipv4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 28 }));
    const ipv6 = fc.tuple(fc.ipV6().filter((text) => parseAddress(text) !== undefined), fc.integer({ min: 0, max: 124 }));
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), ([address, prefix]) => {
        const block = `${address}/${prefix}`;
        const bits = cidrFamily(block) === "ipv4" ? 32 : 128;
        expect(isWithin(`${tenthAddress(block)}/${bits}`, block)).toBe(true);
      }),
    );
  });
});

describe("isWithin()", () => {
  it.each([
    ["10.0.0.0/16", "10.0.0.0/8", true],
    ["10.0.0.0/8", "10.0.0.0/8", true],
    ["10.255.255.0/24", "10.0.0.0/8", true],
    ["10.0.0.0/7", "10.0.0.0/8", false],
    ["100.64.0.0/16", "10.0.0.0/8", false],
    ["11.0.0.0/16", "10.0.0.0/8", false],
    ["fd00::/64", "fc00::/7", true],
    ["fd00::/64", "10.0.0.0/8", false],
  ])("%s in %s: %s", (inner, outer, within) => {
    expect(isWithin(inner, outer)).toBe(within);
  });

  it("text that was not refused earlier is a bug, not a false", () => {
    expect(() => isWithin("None", "10.0.0.0/8")).toThrow(new Error('"None" is not a block of addresses, and should have been refused earlier'));
  });
});
