// The folder of the browsers' homes. It is removed after the run, because a browser may still write while its worker ends.
// Where there is no browser, a run of all tests installs one while the first of them run.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { chromiumPath } from "./find-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly browserHomes: string;
  }
}

/** Without a word that chooses files, as in `npm test`. */
const runsAll = () => process.argv.slice(2).every((word) => word === "run" || word.startsWith("-"));

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const homes = await mkdtemp(join(tmpdir(), "portcullis-chromium-"));
  provide("browserHomes", homes);
  // Whoever needs it waits for it, and says why there is none.
  if (runsAll()) void chromiumPath().catch(() => undefined);
  return () => rm(homes, { recursive: true, force: true, maxRetries: 5 });
}
