// Compiles the package with its tests, and runs them on the real Move VM. Most of the time goes into compiling the
// framework, so all tests belong in one run: pass generated tests as `extraModules`.
//
// Differences from the chain, with @zktx.io/sui-move-builder 0.5.1:
// - Derived addresses. Sui hashes the length of the key as a Rust `usize` (sui-types/src/dynamic_field.rs), which has
//   8 bytes on a validator and 4 in WebAssembly. Compare addresses with `receipt_address`, not with the SDK's.
// - There is no limit on gas, on dynamic fields or on events in a transaction.
// - The output of `assert_eq!` is lost, so the detail of a failure has only the line.
import { compile } from "./compiler.ts";
import type { Framework } from "./framework.ts";
import { type MoveFiles, readMovePackage } from "./package.ts";
import { type MoveTest, parseReport } from "./test-report.ts";

type Options = {
  framework: Framework;
  /** Name -> source of a Move module, compiled as if it were the file `tests/<name>.move`. */
  extraModules?: Readonly<Record<string, string>>;
  /** The package itself. Ours by default. */
  files?: MoveFiles;
  deadlineMs?: number;
};

/** Returns the result of every test. Rejects when the code does not compile, and at the deadline. */
export async function runMoveTests({
  framework,
  extraModules = {},
  files = readMovePackage(),
  deadlineMs,
}: Options): Promise<MoveTest[]> {
  const withExtra: Record<string, string> = { ...files };
  for (const [name, source] of Object.entries(extraModules)) {
    const path = `tests/${name}.move`;
    if (path in withExtra) throw new Error(`move/${path} exists already: give the extra module another name`);
    withExtra[path] = source;
  }
  const answer = await compile({ kind: "test", files: withExtra, framework }, deadlineMs);
  if ("error" in answer) throw new Error(`the Move tests could not be run:\n${answer.error}`);
  return parseReport(answer.output);
}
