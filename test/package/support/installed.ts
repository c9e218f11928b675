// The installed package, and its service as a process.
import { join } from "node:path";
import { beforeAll, inject } from "vitest";
import { askLate } from "#test/support/late-answer.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";
import type { Installation } from "./install.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A URL that answers with the Installation, as JSON, when it is there. */
    readonly packageInstaller: string;
  }
}

const INSTALL_TIMEOUT_MS = 600_000;

let installation: Installation | undefined;

// For each file that imports this one.
beforeAll(async () => {
  installation = JSON.parse(await askLate(inject("packageInstaller")));
}, INSTALL_TIMEOUT_MS);

/** For use in a test. */
export function installed(): Installation {
  if (installation === undefined) throw new Error("The package is installed before the first test.");
  return installation;
}

/** Where npm would ask, if something asked at run time. Nobody answers there. */
const NOWHERE = "http://127.0.0.1:9/";

export const installedFolder = (): string => installed().folder;
export const packageFolder = (): string => join(installedFolder(), "node_modules", "portcullis");

/** The command that npm has linked to the package. */
const installedCommand = (): string => join(installedFolder(), "node_modules", ".bin", "portcullis");

/** `portcullis serve` on a Node, perhaps with options of it. */
export function installedServiceForTest(
  cwd: string,
  environment: Readonly<Record<string, string>>,
  node: readonly string[] = [process.execPath],
) {
  const variables = { PORT: "0", DRAIN_MS: "0", npm_config_registry: NOWHERE, ...environment };
  return serviceProcessForTest(cwd, variables, { command: [...node, installedCommand(), "serve"] });
}
