import fc from "fast-check";
import { expect, test } from "vitest";
import type { Output } from "./output.ts";
import { table, whole } from "./table.ts";
import { textWidth } from "./text-width.ts";

function outputOf(more: Partial<Output>): Output & { readonly text: () => string } {
  let written = "";
  return {
    isTerminal: true,
    hasColors: false,
    columns: 80,
    async write(text) {
      written += text;
    },
    text: () => written,
    ...more,
  };
}

const COLUMNS = [whole("ID"), "NAME", "TEXT"];

test("on a terminal no line is wider than the terminal, whatever the cells hold", async () => {
  const cell = fc
    .array(fc.constantFrom("word ", "日本語", "👩‍👩‍👧", "x".repeat(90), "\u001b[2J", "\n", "e\u0301"))
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 40, max: 120 }),
      async (cells, columns) => {
        const output = outputOf({ columns });
        await table(output, COLUMNS).add(cells.map(([name, text], i) => [`id_${i}`, name, text]));
        const lines = output.text().trimEnd().split("\n");
        expect(lines).toHaveLength(cells.length + 1);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        expect(output.text()).not.toContain("\u001b");
      },
    ),
    { numRuns: 50 },
  );
});

test("ids are whole, and the columns of later rows stand below those of the first", async () => {
  const output = outputOf({ columns: 40 });
  const rows = table(output, COLUMNS);
  const id = "mem_01m7hk1djtvbfh1e8rsmfx5e5s";
  await rows.add([[id, "旅行と予定", "a long text that is cut"]]);
  await rows.add([[id, "b", "another"]]);
  expect(output.text()).toBe(
    [`ID${" ".repeat(30)}NAME    TEXT`, `${id}  旅行…   a lon…`, `${id}  b       anoth…`, ""].join("\n"),
  );
});

test("elsewhere a row is a line, whole, with tabs between its cells and no title", async () => {
  const output = outputOf({ isTerminal: false });
  await table(output, COLUMNS).add([["1", "a\tb\nc", "x".repeat(500)]]);
  expect(output.text()).toBe(`1\ta b c\t${"x".repeat(500)}\n`);
});

test("colours are for terminals that have them", async () => {
  const row = [["1", { text: "closed\u001b[2J", tone: "bad" as const }, ""]];
  const [plain, colourful] = [outputOf({}), outputOf({ hasColors: true })];
  for (const output of [plain, colourful]) await table(output, COLUMNS).add(row);
  expect(plain.text()).not.toContain("\u001b");
  expect(colourful.text()).toContain("\u001b[31mclosed⟨U+001B⟩[2J");
});
