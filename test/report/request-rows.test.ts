import { expect, test } from "vitest";
import { isRefused, requestRows, showOutcomes } from "../../src/report/request-rows.ts";
import { FAILED } from "./runs.ts";

test("all tries of a question and the waits between them are one row, in the order of the first tries", () => {
  const rows = requestRows(FAILED).map(({ service, target, startMs, durationMs, tries, waits }) => [service, target.split("/").at(-1), startMs, durationMs, tries.length, waits.length]);
  expect(rows).toEqual([
    ["imds", "token", 63, 2_057, 2, 1],
    ["imds", "vpc-ipv4-cidr-blocks", 2_120, 9, 1, 0],
    ["eks", "DescribeCluster", 2_200, 88_800, 4, 3],
    ["ec2", "DescribeInstanceTypes", 2_200, 80, 1, 0],
  ]);
});

const OUTCOMES: readonly (readonly [statuses: readonly (number | undefined)[], shown: string])[] = [
  [[200], "200"],
  [[503, 503, 200], "503 ×2, 200"],
  [[undefined, undefined], "no answer ×2"],
  [[429, 503, 429, 429], "4 tries, 429"],
  [[], ""],
];
test.each(OUTCOMES)("tries that ended with %j", (statuses, shown) => {
  const tries = statuses.map((status, index) => ({ service: "eks", target: "DescribeCluster", attempt: index + 1, startMs: index, durationMs: 1, ...(status === undefined ? {} : { status }) }));
  expect(showOutcomes(tries)).toBe(shown);
});

const REFUSED: readonly (readonly [service: string, status: number | undefined, refused: boolean])[] = [
  ["imds", 200, false],
  ["imds", 404, false],
  ["imds", 401, true],
  ["imds", 503, true],
  ["eks", 404, true],
  ["eks", 429, true],
  ["ec2", undefined, true],
];
test.each(REFUSED)("%s that answers %s was asked in vain: %s", (service, status, refused) => {
  expect(isRefused({ service, target: "x", attempt: 1, startMs: 0, durationMs: 1, ...(status === undefined ? { failure: "no answer" } : { status }) })).toBe(refused);
});
