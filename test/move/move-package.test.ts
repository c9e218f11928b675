// The Move package on the real Move VM. One run compiles and tests everything, generated tests included, because
// compiling the Sui framework is most of the time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blake2b } from "@noble/hashes/blake2.js";
import { beforeAll, describe, expect, test } from "vitest";
import { ABORTS } from "#adapters/ledger/gate-module.ts";
import { buildMovePackage } from "../../scripts/move/build.ts";
import { type FrameworkResult, findFramework } from "../../scripts/move/find-framework.ts";
import type { Framework } from "../../scripts/move/framework.ts";
import { MOVE_FOLDER, readMovePackage } from "../../scripts/move/package.ts";
import { runMoveTests } from "../../scripts/move/run-tests.ts";
import type { MoveTest } from "../../scripts/move/test-report.ts";
import { readVectors, vectorModules } from "../../scripts/move/vectors.ts";
import { play } from "./differential-local.ts";
import { MODULE as DIFFERENTIAL, differentialModule, type NamedSequence, testNames } from "./differential-move.ts";
import { type Mutant, mutants } from "./differential-mutants.ts";
import { SEED, SEQUENCES, sequences } from "./differential-sequences.ts";

const MINUTES = 60_000;

/** Without a test that must fail, a runner that reports every test as passed would not be noticed. */
const canary = { canary: "#[test_only]\nmodule portcullis::canary;\n#[test]\nfun fails() { abort 41 }\n" };

describe("on the Move VM", () => {
  let found: FrameworkResult;
  let results: MoveTest[] = [];
  const played: NamedSequence[] = [];
  let altered: Mutant[] = [];

  beforeAll(async () => {
    found = await findFramework();
    if (found.kind === "missing") {
      // Vitest's default reporter counts what was skipped, but keeps the reason to itself.
      process.stderr.write(`\nskipped in test/move.test.ts: ${found.reason}\n\n`);
      return;
    }
    for (const [i, sequence] of sequences().entries())
      played.push({ name: `sequence_${i}`, ...(await play(sequence)) });
    altered = await mutants();
    const differential = differentialModule([...played, ...altered.map(({ sequence }) => sequence)]);
    const extraModules = { ...vectorModules(), ...differential, ...canary };
    results = await runMoveTests({ framework: found.framework, extraModules });
  }, 5 * MINUTES);

  moveTest("the tests of the package pass", () => {
    const ours = results.filter(({ module }) => module !== "canary" && module !== DIFFERENTIAL);
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter((test) => !test.passed)).toEqual([]);
  });

  moveTest("blake2b256 is that of the vectors", () => {
    const passed = results.filter((test) => test.module === "blake2b256_vectors" && test.passed);
    expect(passed.map((test) => test.name).sort()).toEqual(
      readVectors()
        .map((vector) => vector.name)
        .sort(),
    );
  });

  moveTest(`${SEQUENCES} random sequences end on the local ledger as on the Move VM (seed ${SEED})`, () => {
    const names = new Set(played.flatMap(testNames));
    const compared = results.filter(({ module, name }) => module === DIFFERENTIAL && names.has(name));
    expect(compared.length).toBe(names.size);
    expect(compared.filter(({ passed }) => !passed)).toEqual([]);
  });

  moveTest("the random sequences come to every verdict and every abort", () => {
    const transactions = played.flatMap((sequence) => sequence.transactions);
    expect(new Set(transactions.flatMap(({ abort }) => abort ?? []))).toEqual(new Set(ABORTS.keys()));
    const verdicts = transactions.flatMap(({ minted }) => minted.map(({ allAuthorized }) => allAuthorized));
    expect(verdicts.filter((verdict) => verdict).length).toBeGreaterThan(50);
    expect(verdicts.filter((verdict) => !verdict).length).toBeGreaterThan(50);
  });

  moveTest("a sequence that did not end as it is told is noticed", () => {
    const failed = results.filter(({ module, passed }) => module === DIFFERENTIAL && !passed).map(({ name }) => name);
    expect(altered.length).toBeGreaterThan(10);
    expect(failed).toEqual(expect.arrayContaining(altered.map(({ failing }) => failing)));
  });

  moveTest("the committed bytecode and lock file are what the sources compile to", async (framework) => {
    const { outputs } = await buildMovePackage(framework);
    for (const [path, text] of Object.entries(outputs)) {
      expect(readFileSync(join(MOVE_FOLDER, path), "utf8"), `move/${path}: run npm run move:build`).toBe(text);
    }
  });

  moveTest("a test that fails is seen to fail", () => {
    const detail = expect.stringContaining("aborted with code 41");
    expect(results.filter((test) => test.module === "canary")).toEqual([
      { module: "canary", name: "fails", passed: false, detail },
    ]);
  });

  moveTest("a run that takes too long is stopped", async (framework) => {
    await expect(runMoveTests({ framework, deadlineMs: 200 })).rejects.toThrow("did not finish within 0.2 s");
  });

  /** A test that needs the framework, and is skipped with the reason where it cannot be had. */
  function moveTest(name: string, run: (framework: Framework) => void | Promise<void>): void {
    test(name, { timeout: 5 * MINUTES }, async ({ skip }) => {
      if (found.kind === "missing") return skip(found.reason);
      await run(found.framework);
    });
  }
});

test("blake2b256 in TypeScript is that of the vectors", () => {
  for (const { name, input, digest } of readVectors()) {
    const hash = blake2b(Buffer.from(input, "hex"), { dkLen: 32 });
    expect(Buffer.from(hash).toString("hex"), name).toBe(digest);
  }
});

test("every public function of the module is called in its tests", () => {
  const files = Object.entries(readMovePackage());
  const module = files.find(([path]) => path === "sources/gate.move")?.[1] ?? "";
  const tests = files.filter(([path]) => path.startsWith("tests/")).map(([, text]) => text);
  const functions = [...module.matchAll(/^public fun (\w+)/gm)].map((match) => match[1] ?? "");
  expect(functions).toContain("anchor_receipt");
  expect(functions.filter((name) => !tests.some((text) => new RegExp(`[.:]${name}\\(`).test(text)))).toEqual([]);
});
