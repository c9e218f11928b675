// Builds the Move package: the bytecode to publish, and the lock file. `npm run move:build` writes them, and a test
// compares them with the committed ones.
import { compile } from "./compiler.ts";
import type { Framework } from "./framework.ts";
import { type MoveFiles, readMovePackage } from "./package.ts";

export type MoveBuild = {
  /** Path within move/ -> text: build/gate.json and Move.lock. */
  outputs: MoveFiles;
  digest: string;
};

/** Compiles the package without its tests. A warning is an error, because published code cannot be changed. */
export async function buildMovePackage(framework: Framework, files = readMovePackage()): Promise<MoveBuild> {
  const answer = await compile({ kind: "build", files, framework });
  if ("error" in answer) throw new Error(`the Move package does not compile:\n${answer.error}`);
  if (answer.warnings) throw new Error(`the Move compiler warns:\n${answer.warnings}`);

  const digest = Buffer.from(answer.digest).toString("hex");
  const artifact = { modules: answer.modules, dependencies: answer.dependencies, digest };
  return {
    outputs: { "build/gate.json": `${JSON.stringify(artifact, null, 2)}\n`, "Move.lock": answer.moveLock },
    digest,
  };
}
