// Reads the text format of Prometheus, strictly: a line that the format does not have fails the test.
import { expect } from "vitest";

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const META = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)+)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"/g;
const TYPES = ["counter", "gauge", "histogram", "summary"];

export interface Scraped {
  readonly samples: readonly Sample[];
  /** The type of each metric. */
  readonly types: ReadonlyMap<string, string>;
  /** The sum over all samples of this name that have these labels. */
  total(name: string, labels?: Readonly<Record<string, string>>): number;
}

export function readExposition(text: string): Scraped {
  expect(text.endsWith("\n")).toBe(true);
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, kind, name = "", rest = ""] = META.exec(line) ?? [];
    if (kind === undefined) samples.push(sampleIn(line, types));
    else if (kind === "TYPE") {
      expect(TYPES).toContain(rest);
      expect(types.has(name), `${name} has its type twice`).toBe(false);
      types.set(name, rest);
    }
  }
  const series = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()]));
  expect(new Set(series).size, "a series is there twice").toBe(series.length);
  return {
    samples,
    types,
    total: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function sampleIn(line: string, types: ReadonlyMap<string, string>): Sample {
  const [, name = "", list = "", number = ""] = SAMPLE.exec(line) ?? [];
  expect(name, `not a line of the format: ${line}`).not.toBe("");
  const metric = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, "");
  expect(types.has(metric), `${name} comes before its type`).toBe(true);
  const value = number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number);
  expect(number === "NaN" || !Number.isNaN(value), `not a number: ${line}`).toBe(true);
  return { name, value, labels: Object.fromEntries([...list.matchAll(LABEL)].map(([, label, text]) => [label, text])) };
}
