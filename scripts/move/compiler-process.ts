// The child process of compiler.ts: takes one job, sends one answer.
import { once } from "node:events";
import {
  dumpMovePackage,
  initMovePackageBuilder,
  type MovePackageDumpSuccess,
  type MovePackageFailure,
  type MovePackageFetcher,
  type MovePackageTestSuccess,
  testMovePackage,
} from "@zktx.io/sui-move-builder/full";
import { FRAMEWORK, type Framework } from "./framework.ts";
import type { MoveFiles } from "./package.ts";

export type Job = { kind: "build" | "test"; files: MoveFiles; framework: Framework };

export type Answer<Kind extends Job["kind"]> =
  | (Kind extends "build" ? MovePackageDumpSuccess : MovePackageTestSuccess)
  | MovePackageFailure;

const [job] = await once(process, "message");
const { kind, files, framework } = job as Job;
await initMovePackageBuilder();
const input = { files: { ...files }, fetcher: fetcherOf(framework), ansiColor: false, lintFlag: "all" } as const;
process.send?.(await (kind === "build" ? dumpMovePackage(input) : testMovePackage(input)));

/** Answers the compiler's requests for dependencies from the given framework only. */
function fetcherOf(framework: Framework): MovePackageFetcher {
  return {
    async fetch(repository, commit, folder = "") {
      if (repository !== FRAMEWORK.repository || commit !== FRAMEWORK.commit) {
        throw new Error(
          `the compiler asks for ${repository} at ${commit}, which scripts/move/framework.ts does not name`,
        );
      }
      const inside = Object.entries(framework).filter(([path]) => path.startsWith(`${folder}/`));
      return Object.fromEntries(inside.map(([path, text]) => [path.slice(folder.length + 1), text]));
    },
    async fetchFile(_repository, _commit, path) {
      return framework[path] ?? null;
    },
    getResolvedSha: () => FRAMEWORK.commit,
  };
}
