import { expect, test } from "vitest";
import { didYouMean, nearestName } from "../../src/lib/nearest.ts";

const KNOWN = ["maxPods", "podsPerCore", "clusterDNS", "clusterDomain", "node-labels", "v"];

test.each([
  ["a letter too many", "maxPodss", "maxPods"],
  ["a letter missing", "podPerCore", "podsPerCore"],
  ["a wrong letter", "maxPads", "maxPods"],
  ["swapped letters", "maxPosd", "maxPods"],
  ["other capitals", "clusterDns", "clusterDNS"],
  ["dashes for capitals", "max-pods", "maxPods"],
  ["underscores for dashes", "node_label", "node-labels"],
  ["the nearer of two", "clusterDomian", "clusterDomain"],
])("%s is recognised: %j", (_, written, meant) => {
  expect(nearestName(written, KNOWN)).toBe(meant);
});

test.each(["kubeReserved", "x", "", "maxImagesToKeepAround", "m".repeat(100_000)])("%.30j is near to nothing known", (written) => {
  expect(nearestName(written, KNOWN)).toBeUndefined();
});

test("didYouMean() ends a sentence, or adds nothing to it", () => {
  expect([didYouMean("max-pod", ["max-pods"], "--"), didYouMean("kube-reserved", ["max-pods"], "--")]).toEqual(["; did you mean --max-pods?", ""]);
});
