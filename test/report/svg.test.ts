import { expect, test } from "vitest";
import { element, printSvg } from "../../src/report/svg.ts";

test("an element is printed with its attributes, numbers to a tenth, and its children one a line", () => {
  const svg = element("svg", { width: 10 }, element("g", {}, element("rect", { x: 1.26, y: 2 })), element("text", { x: 0.04 }, "a", element("title", {}, "b")));
  expect(printSvg(svg)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<svg width="10">
  <g>
    <rect x="1.3" y="2"/>
  </g>
  <text x="0">a<title>b</title></text>
</svg>
`);
});

const TEXTS: readonly (readonly [why: string, text: string, printed: string])[] = [
  ["markup", "<a b='c'> & \"d\" ]]>", "&lt;a b='c'&gt; &amp; \"d\" ]]&gt;"],
  ["characters that XML has no place for", "a\u0000\u001b[2J\ufffe\ud800", "a��[2J��"],
  ["a change of the direction of writing", "a\u202eb", "a�b"],
  ["white space that XML has", "a\tb\nc", "a\tb\nc"],
  ["letters of any language", "日本語 ß 👩", "日本語 ß 👩"],
];
test.each(TEXTS)("a text stays text: %s", (_why, text, printed) => {
  expect(printSvg(element("text", {}, text))).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n<text>${printed}</text>\n`);
});

test("an attribute stays one", () => {
  expect(printSvg(element("rect", { class: 'a" onload="b<&' }))).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n<rect class="a&quot; onload=&quot;b&lt;&amp;"/>\n`);
});
