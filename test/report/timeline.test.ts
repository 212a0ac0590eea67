import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import type { LastRun } from "../../src/report/last-run.ts";
import { showTimeline } from "../../src/report/timeline.ts";
import { DONE, FAILED, STOPPED } from "./runs.ts";

const RUNS: readonly (readonly [name: string, run: LastRun])[] = [["done", DONE], ["failed", FAILED], ["stopped", STOPPED]];
const NOTHING: LastRun = { ...DONE, durationMs: 0, node: {}, phases: [], requests: [], commands: [], changes: [] };

describe("the drawing", () => {
  test.each(RUNS)("of a run that was %s is the file that was looked at and found good", async (name, run) => {
    await expect(showTimeline(run)).toMatchFileSnapshot(`golden/${name}.svg`);
  });

  test("of a run in which nothing happened has an axis and an end", () => {
    expect(textsOf(showTimeline(NOTHING))).toEqual(["The bootstrap was done in 0ms", "began 2026-01-31 12:00:00 UTC · eks-node-agent 1.2.3", "0", "1ms", "done · 0ms"]);
  });

  test("needs no other file", () => {
    expect([...showTimeline(FAILED).matchAll(/\b(?:href|src|url|import)\b\W*/gi)].map(([match]) => match)).toEqual(Array.from({ length: 5 }, () => "url(#"));
  });

  test("has one width, whatever is in it", () => {
    const widths = [DONE, FAILED, STOPPED, NOTHING, withTexts("W".repeat(5000))].map((run) => /width="(\d+)"/.exec(showTimeline(run))?.[1]);
    expect(new Set(widths)).toEqual(new Set(["1200"]));
  });

  test("has a title and a description for those who hear it", () => {
    const svg = parse(showTimeline(STOPPED)).svg;
    expect(svg).toMatchObject({ role: "img", "aria-labelledby": "title desc" });
    expect(svg.title).toEqual({ id: "title", "#text": "The bootstrap was ended by SIGTERM after 1.500s" });
    expect(svg.desc).toEqual({
      id: "desc",
      "#text": "A timeline of one run of eks-node-agent. Phases: facts failed after 1.440s. 1 requests, 0 waits before another try, 0 commands, 0 changes.",
    });
  });

  test("is well-formed whatever its texts are, and every one of them stays text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), hostile()), hostile(), (one, other) => {
        for (const text of [one, one + other]) {
          const svg = showTimeline(withTexts(text));
          expect(XMLValidator.validate(svg)).toBe(true);
          expect(svg.isWellFormed()).toBe(true);
          expect(elementsIn(svg)).toBe(elementsIn(showTimeline(withTexts("x"))));
        }
      }),
    );
  });

  test("is well-formed whatever its times are, with no bar outside", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (durationMs, startMs, lengthMs) => {
        const requests = FAILED.requests.map((request) => ({ ...request, startMs, durationMs: lengthMs }));
        const svg = showTimeline({ ...FAILED, durationMs, requests });
        expect(XMLValidator.validate(svg)).toBe(true);
        expect(svg).not.toMatch(/NaN|Infinity/);
        const ends = [...svg.matchAll(/<rect [^>]*x="([\d.]+)"[^>]* width="([\d.]+)"/g)].map(([, x, width]) => Number(x) + Number(width));
        expect(Math.max(...ends)).toBeLessThanOrEqual(975);
      }),
    );
  });
});

function hostile(): fc.Arbitrary<string> {
  return fc.constantFrom("]]>", "</svg><script>alert(1)</script>", '"><rect onload="x', "&#0;&amp;&", "<!--", "\u0000\u001b[2J", "\ud800", "\ufffe\uffff", "\u202eabc", "' onmouseover='x", "\r\n\t", "日本語".repeat(50), "");
}

/** The failed run with the text wherever a text may be. */
function withTexts(text: string): LastRun {
  return {
    ...FAILED,
    version: text,
    node: { cluster: text, instanceId: text, instanceType: text, zone: text, kubeletVersion: text },
    phases: FAILED.phases.map((phase) => ({ ...phase, name: text, title: text })),
    requests: FAILED.requests.map((request) => ({ ...request, target: request.target + text })),
    retries: FAILED.retries.map((wait) => ({ ...wait, target: wait.target + text, reason: text })),
    commands: FAILED.commands.map((command) => ({ ...command, argv: [text, text] })),
    changes: FAILED.changes.map((change) => ({ ...change, subject: text })),
    result: { kind: "failed", exitStatus: 1, code: text, message: `m${text}`, lines: [text], remedy: text },
  };
}

/** Texts that are not shown make fewer elements, and long ones more lines: all but <text> and the bar beside them. */
function elementsIn(svg: string): string {
  const names = [...svg.matchAll(/<(\w+)[ />]/g)].map(([, name = ""]) => name).filter((name) => name !== "text");
  return names.join(" ");
}

type Parsed = { readonly svg: { readonly title: unknown; readonly desc: unknown; readonly text: readonly { readonly "#text": unknown }[] } };

function parse(svg: string): Parsed {
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "", parseTagValue: false }).parse(svg) as Parsed;
}

function textsOf(svg: string): readonly unknown[] {
  return parse(svg).svg.text.map((text) => text["#text"]);
}
