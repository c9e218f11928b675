// npm run bench: measures, and says what was aimed at. A missed aim is reported, not an error; a wrong answer is.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { benchmarks } from "./benchmarks.ts";
import { type Benchmark, type Figure, isMet, measuredValue, type Report } from "./support/benchmark.ts";
import { killChildren } from "./support/children.ts";
import { createProgress } from "./support/progress.ts";
import { removeScratch } from "./support/scratch.ts";
import { tableOf } from "./support/table.ts";

const HELP = `Usage: npm run bench -- [name ...] [--json] [--help]

Measures Portcullis against something to compare with, in one run and in turn. The middle value of several rounds
counts. Without names, all of these run:

${[...benchmarks].map(([name, { title }]) => `  ${name.padEnd(8)} ${title}`).join("\n")}

  --json   nothing but JSON on standard output (npm run --silent bench -- --json)
  --help   this
`;

interface Measured {
  readonly name: string;
  readonly title: string;
  readonly report: Report;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return void process.stdout.write(HELP);
  const chosen = choose(positionals);
  const json = values.json === true;

  const measured: Measured[] = [];
  for (const [name, benchmark] of chosen) {
    const report = await measure(benchmark);
    measured.push({ name, title: benchmark.title, report });
    if (!json) process.stdout.write(`${tableOf(name, benchmark.title, report)}\n\n`);
  }
  process.stdout.write(json ? `${JSON.stringify(asJson(measured), null, 2)}\n` : summaryOf(measured));
}

function choose(names: readonly string[]): [string, Benchmark][] {
  const unknown = names.filter((name) => !benchmarks.has(name));
  if (unknown.length > 0) {
    throw new Error(`There is no benchmark ${unknown.join(", ")}. There are: ${[...benchmarks.keys()].join(", ")}.`);
  }
  return [...benchmarks].filter(([name]) => names.length === 0 || names.includes(name));
}

async function measure(benchmark: Benchmark): Promise<Report> {
  const progress = createProgress(process.stderr);
  try {
    return await benchmark.run(progress.say);
  } finally {
    progress.clear();
    removeScratch();
  }
}

function asJson(measured: readonly Measured[]) {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    benchmarks: measured.map(({ name, title, report: { figures, notes } }) => ({
      name,
      title,
      figures: figures.map(figureAsJson),
      notes,
    })),
  };
}

function figureAsJson(figure: Figure) {
  const { id, what, unit = "ratio", rounds, aim } = figure;
  return {
    id,
    what,
    unit,
    value: measuredValue(figure) ?? null,
    rounds,
    ...(aim && { aim, met: isMet(figure) ?? null }),
  };
}

function summaryOf(measured: readonly Measured[]): string {
  const figures = measured.flatMap(({ name, report }) => report.figures.map((figure) => ({ name, figure })));
  const met = figures.filter(({ figure }) => isMet(figure) === true);
  const missed = figures.filter(({ figure }) => isMet(figure) === false);
  const named = missed.map(({ name, figure }) => `${name}: ${figure.what}`).join("; ");
  return `${met.length} of ${met.length + missed.length} aims met.${named && ` Missed: ${named}.`}\n`;
}

process.on("exit", () => {
  killChildren();
  removeScratch();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
