// Tests of the Move package on the real Move VM. One run compiles and tests everything, generated tests included, because
// most of the time goes into compiling the Sui framework.
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
import { executeSequence } from "./differential-local.ts";
import { MODULE as DIFFERENTIAL, differentialModule, type NamedSequence, testNames } from "./differential-move.ts";
import { type Mutant, mutants } from "./differential-mutants.ts";
import { SEED, SEQUENCES, sequences } from "./differential-sequences.ts";
import { judgedByOracle } from "./policy-oracle.ts";

const MINUTES = 60_000;

/** A test that must fail, so that a runner that reports every test as passed is noticed. */
const canary = { canary: "#[test_only]\nmodule portcullis::canary;\n#[test]\nfun fails() { abort 41 }\n" };

describe("on the Move VM", () => {
  let found: FrameworkResult;
  let results: MoveTest[] = [];
  const recorded: NamedSequence[] = [];
  let altered: Mutant[] = [];

  beforeAll(async () => {
    found = await findFramework();
    if (found.kind === "missing") {
      // Vitest's default reporter counts skipped tests, but does not print the reason.
      process.stderr.write(`\nskipped in test/move: ${found.reason}\n\n`);
      return;
    }
    for (const [i, sequence] of sequences().entries())
      recorded.push({ name: `sequence_${i}`, ...(await executeSequence(sequence, i % 3 === 0)) });
    altered = await mutants();
    const differential = differentialModule([...recorded, ...altered.map(({ sequence }) => sequence)]);
    const extraModules = { ...vectorModules(), ...differential, ...canary };
    results = await runMoveTests({ framework: found.framework, extraModules, deadlineMs: 14 * MINUTES });
  }, 15 * MINUTES);

  moveTest("all tests of the package pass", () => {
    const ours = results.filter(({ module }) => module !== "canary" && module !== DIFFERENTIAL);
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter((test) => !test.passed)).toEqual([]);
  });

  moveTest("blake2b256 in Move gives the digests of the vectors", () => {
    const passed = results.filter((test) => test.module === "blake2b256_vectors" && test.passed);
    expect(passed.map((test) => test.name).sort()).toEqual(
      readVectors()
        .map((vector) => vector.name)
        .sort(),
    );
  });

  moveTest(
    `${SEQUENCES} random sequences have the same results on the local ledger and the Move VM (seed ${SEED})`,
    () => {
      const names = new Set(recorded.flatMap(testNames));
      const compared = results.filter(({ module, name }) => module === DIFFERENTIAL && names.has(name));
      expect(compared.length).toBe(names.size);
      expect(compared.filter(({ passed }) => !passed)).toEqual([]);
    },
  );

  moveTest("every receipt says what an oracle says that knows the policy and the time of every version", () => {
    const judged = recorded.map(judgedByOracle);
    expect(judged.map(({ actual }) => actual)).toEqual(judged.map(({ expected }) => expected));
  });

  moveTest("the random sequences reach every verdict and every abort", () => {
    const transactions = recorded.flatMap((sequence) => sequence.transactions);
    expect(new Set(transactions.flatMap(({ abort }) => abort ?? []))).toEqual(new Set(ABORTS.keys()));
    const verdicts = transactions.flatMap(({ minted }) => minted.map(({ allAuthorized }) => allAuthorized));
    expect(verdicts.filter((verdict) => verdict).length).toBeGreaterThan(50);
    expect(verdicts.filter((verdict) => !verdict).length).toBeGreaterThan(50);
    const superseded = transactions.flatMap(({ minted }) =>
      minted.map(({ supersededAtMs }) => supersededAtMs !== undefined),
    );
    expect(superseded.filter((is) => is).length).toBeGreaterThan(50);
    expect(superseded.filter((is) => !is).length).toBeGreaterThan(50);
  });

  moveTest("a recorded sequence with one wrong value fails", () => {
    const failed = results.filter(({ module, passed }) => module === DIFFERENTIAL && !passed).map(({ name }) => name);
    expect(altered.length).toBeGreaterThan(10);
    expect(failed).toEqual(expect.arrayContaining(altered.map(({ failing }) => failing)));
  });

  moveTest("the sources compile to the committed bytecode and lock file", async (framework) => {
    const { outputs } = await buildMovePackage(framework);
    for (const [path, text] of Object.entries(outputs)) {
      expect(readFileSync(join(MOVE_FOLDER, path), "utf8"), `move/${path}: run npm run move:build`).toBe(text);
    }
  });

  moveTest("a failing Move test is reported as failed", () => {
    const detail = expect.stringContaining("aborted with code 41");
    expect(results.filter((test) => test.module === "canary")).toEqual([
      { module: "canary", name: "fails", passed: false, detail },
    ]);
  });

  moveTest("a run is stopped at its deadline", async (framework) => {
    await expect(runMoveTests({ framework, deadlineMs: 200 })).rejects.toThrow("did not finish within 0.2 s");
  });

  /** A test that needs the framework. It is skipped, with the reason, when the framework is not available. */
  function moveTest(name: string, run: (framework: Framework) => void | Promise<void>): void {
    test(name, { timeout: 15 * MINUTES }, async ({ skip }) => {
      if (found.kind === "missing") return skip(found.reason);
      await run(found.framework);
    });
  }
});

test("blake2b256 in TypeScript gives the digests of the vectors", () => {
  for (const { name, input, digest } of readVectors()) {
    const hash = blake2b(Buffer.from(input, "hex"), { dkLen: 32 });
    expect(Buffer.from(hash).toString("hex"), name).toBe(digest);
  }
});

test("the Move tests call every public function of the module", () => {
  const files = Object.entries(readMovePackage());
  const module = files.find(([path]) => path === "sources/gate.move")?.[1] ?? "";
  const tests = files.filter(([path]) => path.startsWith("tests/")).map(([, text]) => text);
  const functions = [...module.matchAll(/^public fun (\w+)/gm)].map((match) => match[1] ?? "");
  expect(functions).toContain("anchor_receipt");
  expect(functions.filter((name) => !tests.some((text) => new RegExp(`[.:]${name}\\(`).test(text)))).toEqual([]);
});
