// npm run bench: runs the benchmarks and compares them with their aims. A missed aim is reported and is no error; a wrong
// answer is an error, and the other benchmarks run all the same.
import { parseArgs } from "node:util";
import { benchmarks } from "./benchmarks.ts";
import { locomo } from "./locomo/locomo.ts";
import { overload } from "./overload.ts";
import { parseSizes, scale } from "./scale.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { killChildren } from "./support/child-process.ts";
import { asJson, summaryOf, textOf } from "./support/results.ts";
import { runBenchmarks } from "./support/run-benchmarks.ts";
import { removeTemporaryFolders } from "./support/temporary-folder.ts";
import { parseCounts, tenants } from "./tenants.ts";

const HELP = `Usage: npm run bench -- [name ...] [--locomo <folder>] [--sizes <list>] [--tenants <list>] [--seconds <n>] [--json] [--help]

Measures Portcullis beside something to compare it with, in one run and in alternating rounds. The result is the median
of the rounds. Without names, all benchmarks run:

${[...benchmarks].map(([name, { title }]) => `  ${name.padEnd(8)} ${title}`).join("\n")}

  --locomo <folder>   with recall: how much of the evidence for LoCoMo's questions it finds. The folder holds
                      locomo-dev.json and locomo-dev-facts.json. EMBEDDING=minilm adds the sentence model.
  --sizes <list>      with scale: these numbers of memories, such as 1000,10000. A million takes some minutes.
  --tenants <list>    with tenants: these numbers of tenants, such as 1,1000. A hundred thousand takes long.
  --seconds <n>       with overload: how long the overload lasts.
  --json   print one JSON object and nothing else (npm run --silent bench -- --json)
  --help   print this text
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
      locomo: { type: "string" },
      sizes: { type: "string" },
      tenants: { type: "string" },
      seconds: { type: "string" },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const chosen = choose(positionals, values);
  const json = values.json === true;

  const results = await runBenchmarks(chosen, {
    onResult: (result) => void (json || process.stdout.write(`${textOf(result)}\n\n`)),
    onFailure: killChildren,
  });
  process.stdout.write(json ? `${JSON.stringify(asJson(results), null, 2)}\n` : summaryOf(results));
  if (results.some(({ error }) => error !== undefined)) process.exitCode = 1;
}

interface Options {
  readonly locomo?: string;
  readonly sizes?: string;
  readonly tenants?: string;
  readonly seconds?: string;
}

function choose(names: readonly string[], options: Options): [string, Benchmark][] {
  if (options.locomo !== undefined) {
    if (names.join() !== "recall") throw new Error("--locomo goes with recall alone.");
    return [["recall", locomo(options.locomo)]];
  }
  if (options.sizes !== undefined) {
    if (names.join() !== "scale") throw new Error("--sizes goes with scale alone.");
    return [["scale", scale(parseSizes(options.sizes))]];
  }
  if (options.tenants !== undefined) {
    if (names.join() !== "tenants") throw new Error("--tenants goes with tenants alone.");
    return [["tenants", tenants(parseCounts(options.tenants))]];
  }
  if (options.seconds !== undefined) {
    if (names.join() !== "overload") throw new Error("--seconds goes with overload alone.");
    if (!/^[1-9]\d{0,4}$/.test(options.seconds)) throw new Error("--seconds must be a whole number of seconds.");
    return [["overload", overload(Number(options.seconds))]];
  }
  const unknown = names.filter((name) => !benchmarks.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `Unknown benchmark: ${unknown.join(", ")}. The benchmarks are ${[...benchmarks.keys()].join(", ")}.`,
    );
  }
  return [...benchmarks].filter(([name]) => names.length === 0 || names.includes(name));
}

process.on("exit", () => {
  killChildren();
  removeTemporaryFolders();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
