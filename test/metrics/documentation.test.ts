import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { METRICS } from "#ports/metrics.ts";

const DOCUMENT = new URL("../../docs/metrics.md", import.meta.url);

test("docs/metrics.md lists every metric with its type, labels and meaning, in the catalogue's order", async () => {
  const rows = (await readFile(DOCUMENT, "utf8")).split("\n").filter((line) => line.startsWith("| `portcullis_"));
  const expected = Object.values(METRICS).map(({ name, kind, labels, help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${kind} | ${shown} | ${help} |`;
  });
  expect(rows).toEqual(expected);
});

test("the alerts of docs/metrics.md name metrics that exist", async () => {
  const [, alerts = ""] = (await readFile(DOCUMENT, "utf8")).split("## Alerts");
  const named = [...alerts.matchAll(/portcullis_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ""));
  expect(named.length).toBeGreaterThan(5);
  const known: readonly string[] = Object.values(METRICS).map(({ name }) => name);
  for (const name of named) expect(known).toContain(name);
});
