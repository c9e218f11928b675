// `npm run move:test` and `npm run move:build`: test and compile the Move package without the sui command line.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildMovePackage } from "./build.ts";
import { findFramework } from "./find-framework.ts";
import { FRAMEWORK, type Framework } from "./framework.ts";
import { MOVE_FOLDER } from "./package.ts";
import { runMoveTests } from "./run-tests.ts";
import type { MoveTest } from "./test-report.ts";
import { vectorModules } from "./vectors.ts";

const HELP = `Usage: npm run move:test [-- options]     run the tests of the Move package on the Move VM
       npm run move:build [-- options]    compile it into move/build/gate.json

Options:
  --framework <dir>   a git directory of github.com/MystenLabs/sui to read the Sui framework from,
                      if it is not in the cache yet ($XDG_CACHE_HOME/portcullis, else ~/.cache/portcullis).
                      Without this option it is downloaded from GitHub. Either way the cache is filled.
  --help              this text

The framework is that of commit ${FRAMEWORK.commit}.`;

const commands: Record<string, (framework: Framework) => Promise<boolean>> = { test, build };

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { framework: { type: "string" }, help: { type: "boolean" } },
    });
    const command = commands[positionals[0] ?? ""];
    if (values.help || !command || positionals.length !== 1) {
      console.log(HELP);
      return values.help ? 0 : 2;
    }
    const found = await findFramework({ gitDir: values.framework });
    if (found.kind === "missing") throw new Error(found.reason);
    say(`Sui framework ${FRAMEWORK.commit.slice(0, 8)} from ${found.from}`);
    return (await command(found.framework)) ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function test(framework: Framework): Promise<boolean> {
  say("compiling and running the tests (about 10 s) ...");
  const started = performance.now();
  const tests = await runMoveTests({ framework, extraModules: vectorModules() });
  const failed = tests.filter((test) => !test.passed);

  for (const [module, inModule] of Map.groupBy(tests, (test) => test.module)) {
    console.log(`\n${module}`);
    for (const { name, passed } of inModule) console.log(`  ${passed ? "pass" : "FAIL"}  ${name}`);
  }
  for (const test of failed) console.log(`\n${describe(test)}`);
  console.log(`\n${tests.length - failed.length} passed, ${failed.length} failed in ${seconds(started)}`);
  return failed.length === 0;
}

async function build(framework: Framework): Promise<boolean> {
  say("compiling ...");
  const started = performance.now();
  const { outputs, digest } = await buildMovePackage(framework);
  for (const [path, text] of Object.entries(outputs)) {
    console.log(`${write(join(MOVE_FOLDER, path), text) ? "wrote" : "unchanged"}  move/${path}`);
  }
  console.log(`package digest ${digest}, in ${seconds(started)}`);
  return true;
}

/** Whether the file changed. */
function write(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true });
  if (read(file) === text) return false;
  writeFileSync(file, text);
  return true;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function describe({ module, name, detail }: MoveTest): string {
  return `${module}::${name}\n${detail ?? "no detail"}`;
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/** Progress goes to standard error, so that standard output has only the result. */
function say(text: string): void {
  console.error(`move: ${text}`);
}
