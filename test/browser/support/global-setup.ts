// The folder of the browsers' homes. It is removed after the run, because a browser may still write while its worker ends.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    readonly browserHomes: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const homes = await mkdtemp(join(tmpdir(), "portcullis-chromium-"));
  provide("browserHomes", homes);
  return () => rm(homes, { recursive: true, force: true, maxRetries: 5 });
}
