// npm run torture: stress tests of the promises, with full numbers. `npm test` runs the same with small ones.
import { parseArgs } from "node:util";
import { requireProxy } from "#test/torture/proxies/proxy-process.ts";
import { type Outcome, type Trial, type TrialOptions, trials } from "./trials.ts";

const HELP = `Usage: npm run torture -- [name ...] [--seed <number>] [--tenants <number>] [--quick]

Tries to make Portcullis break its promises. Without names, all trials run, which takes about an hour:

${[...trials].map(([name, { title }]) => `  ${name.padEnd(14)} ${title}`).join("\n")}

  --seed <number>   seed of the random numbers (default: a random one, which is printed)
  --tenants <number>  with tenants: so many
  --quick           run with small numbers

Everything runs on loopback, with a PostgreSQL of its own. Exits with 1 when a promise was broken, or a trial did not end.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: "string" },
      tenants: { type: "string" },
      quick: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const seed = values.seed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error("--seed takes a whole number.");
  const tenants = values.tenants === undefined ? undefined : Number(values.tenants);
  const options = { seed, tenants, quick: values.quick === true };
  const chosen = choose(positionals);
  // At once, and not after an hour of other trials.
  for (const program of new Set(chosen.flatMap(([, { needs = [] }]) => needs))) await requireProxy(program);
  for (const [name, trial] of chosen) await run(name, trial, options);
}

const NOTHING: Outcome = { numbers: {}, violations: [] };

async function run(name: string, trial: Trial, options: Omit<TrialOptions, "onStatus">): Promise<void> {
  const began = performance.now();
  const onStatus = (status: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${name}: ${status}`);
  };
  const outcome = await trial.run({ ...options, onStatus }).catch((error: unknown) => ({ ...NOTHING, error }));
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(reportOf(name, trial, outcome, seconds));
  if (outcome.violations.length > 0 || "error" in outcome) process.exitCode = 1;
}

type Ended = Outcome & { readonly error?: unknown };

function reportOf(name: string, { title }: Trial, { numbers, violations, ...ended }: Ended, seconds: number): string {
  const { error } = ended;
  const found = violations.length === 0 ? "held" : `BROKEN (${violations.length})`;
  const verdict = "error" in ended ? "DID NOT END" : found;
  const lines = Object.entries(numbers).map(([what, value]) => `  ${what}: ${value}`);
  return [
    `${name}: ${verdict}, ${seconds.toFixed(0)} s`,
    `  ${title}`,
    ...lines,
    ...violations.map((violation) => `  ! ${violation}`),
    ...("error" in ended ? [`  ${error instanceof Error ? (error.stack ?? error.message) : error}`] : []),
    "\n",
  ].join("\n");
}

function choose(names: readonly string[]): [string, Trial][] {
  const unknown = names.filter((name) => !trials.has(name));
  if (unknown.length > 0)
    throw new Error(`Unknown trial: ${unknown.join(", ")}. The trials are ${[...trials.keys()].join(", ")}.`);
  return [...trials].filter(([name]) => names.length === 0 || names.includes(name));
}

// `process.exit` runs the exit handlers, which stop the child processes.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

await main().catch((error) => {
  process.stderr.write(`torture: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
// A trial that did not end has left services and servers.
process.exit();
