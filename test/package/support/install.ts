// Builds the package, packs it, and installs the tarball into an empty folder, offline. Prints where all that is.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import packageJson from "../../../package.json" with { type: "json" };
import { packClient } from "../../../scripts/package/client-package.ts";
import { pack } from "../../../scripts/package/pack.ts";
import { startRegistry } from "./local-registry.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FRAMEWORKS = ["ai", "@langchain/langgraph", "@langchain/core"];

export interface Installation {
  /** It has nothing but the installed tarball. */
  readonly folder: string;
  /** This one has the frameworks of the adapters, too. */
  readonly withFrameworks: string;
  readonly tarball: string;
  /** Of portcullis-client, unpacked. */
  readonly clientFolder: string;
}

async function install(temporary: string): Promise<Installation> {
  const tarball = await pack(ROOT, temporary);
  const clientFolder = join(temporary, "client", "node_modules", "portcullis-client");
  mkdirSync(clientFolder, { recursive: true });
  const unpacking = ["-xzf", packClient(ROOT, temporary), "-C", clientFolder, "--strip-components=1"];
  await promisify(execFile)("tar", unpacking);
  const environment = {
    PATH: await pathOfShell(),
    HOME: temporary,
    npm_config_cache: join(temporary, "cache"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    npm_config_loglevel: "error",
  };
  const installInto = (folder: string, registry: string, ...more: readonly string[]) => {
    mkdirSync(join(temporary, folder));
    // The registry has what this clone has, and so in place of some packages those that stand in for them here.
    writeFileSync(join(temporary, folder, "package.json"), JSON.stringify({ overrides: packageJson.overrides }));
    const args = ["install", tarball, "--registry", registry, "--no-package-lock", ...more];
    return promisify(execFile)("npm", args, { cwd: join(temporary, folder), env: environment });
  };
  const registry = await startRegistry(ROOT);
  // Fills the cache. Then there is no registry any more.
  await installInto("frameworks", registry.url, "--ignore-scripts", ...FRAMEWORKS).finally(registry.stop);
  await installInto("empty", registry.url, "--offline");
  return { folder: join(temporary, "empty"), withFrameworks: join(temporary, "frameworks"), tarball, clientFolder };
}

async function pathOfShell(): Promise<string> {
  return (await promisify(execFile)("/bin/sh", ["-c", 'printf %s "$PATH"'])).stdout;
}

process.stdout.write(JSON.stringify(await install(process.argv[2] ?? "")));
