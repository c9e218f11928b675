// npm run torture: the promises under fire, with the full numbers. `npm test` does the same with small ones.
import { parseArgs } from "node:util";
import { type Outcome, type Trial, trials } from "./trials.ts";

const HELP = `Usage: npm run torture -- [name ...] [--seed <number>] [--quick]

Tries to make Portcullis break its promises. Without names, all of these run, which takes about an hour:

${[...trials].map(([name, { title }]) => `  ${name.padEnd(14)} ${title}`).join("\n")}

  --seed <number>   where chance begins; one is chosen and printed when it is left out
  --quick           much less of everything

Everything happens on loopback, with a PostgreSQL of its own. Exits with 1 when a promise was broken.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string" }, quick: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return void process.stdout.write(HELP);
  const seed = values.seed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error("--seed takes a whole number.");
  for (const [name, trial] of choose(positionals)) await run(name, trial, { seed, quick: values.quick === true });
}

async function run(name: string, trial: Trial, options: { seed: number; quick: boolean }): Promise<void> {
  const began = performance.now();
  const say = (how: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${name}: ${how}`);
  };
  const outcome = await trial.run({ ...options, say }).catch(failed);
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(reportOf(name, trial, outcome, seconds));
  if (outcome.violations.length > 0) process.exitCode = 1;
}

function failed(error: unknown): Outcome {
  return { numbers: {}, violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
}

function reportOf(name: string, { title }: Trial, { numbers, violations }: Outcome, seconds: number): string {
  const verdict = violations.length === 0 ? "held" : `BROKEN (${violations.length})`;
  const lines = Object.entries(numbers).map(([what, value]) => `  ${what}: ${value}`);
  return [
    `${name}: ${verdict}, ${seconds.toFixed(0)} s`,
    `  ${title}`,
    ...lines,
    ...violations.map((violation) => `  ! ${violation}`),
    "\n",
  ].join("\n");
}

function choose(names: readonly string[]): [string, Trial][] {
  const unknown = names.filter((name) => !trials.has(name));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(", ")}. There are: ${[...trials.keys()].join(", ")}.`);
  return [...trials].filter(([name]) => names.length === 0 || names.includes(name));
}

// So that what was begun is tidied away, also when somebody has had enough.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

await main().catch((error) => {
  process.stderr.write(`torture: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
