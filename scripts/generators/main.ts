// npm run generators: clients that strangers generate from openapi.json, with hey-api and with orval. Each is generated,
// compiled with `tsc --strict`, and run against a fresh service. Spectral reads the document, too. The generators are
// installed into a folder of their own, from the registry: this project does not depend on them.
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startFreshService } from "../fresh-service.ts";

const PACKAGES = {
  "@hey-api/openapi-ts": "0.99.0",
  orval: "7.13.2",
  "@stoplight/spectral-cli": "6.16.3",
  typescript: "5.9.3",
  "@types/node": "22.20.5",
};
const PROGRAMS = new URL("../../test/openapi/generated-client/", import.meta.url);
const HOOK = new URL("extensionless-hook.mjs", PROGRAMS).href;
const DOCUMENT = fileURLToPath(new URL("../../openapi.json", import.meta.url));

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  },
};
/** The project has no address yet that it could name as its contact. */
const SPECTRAL = { extends: ["spectral:oas"], rules: { "info-contact": "off" } };

const folder = mkdtempSync(join(tmpdir(), "portcullis-generators-"));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const writeJson = (name: string, value: unknown) => write(name, JSON.stringify(value));
const say = (text: string) => process.stdout.write(`${text}\n`);

async function run(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1e8 }).catch((error) => {
    say(`${error.stdout}${error.stderr}`);
    throw error;
  });
  return stdout.trim();
}
const tool = (name: string, ...args: string[]) => run(join(folder, "node_modules/.bin", name), ...args);

/** Compiles a program over what was generated, and gives what it prints. */
async function tried(name: string, url: string): Promise<string> {
  copyFileSync(new URL(`${name}.ts`, PROGRAMS), join(folder, `${name}.ts`));
  writeJson("tsconfig.json", { ...TSCONFIG, files: [`${name}.ts`] });
  await tool("tsc", "-p", ".");
  return run(process.execPath, "--import", HOOK, `${name}.ts`, url);
}

const service = await startFreshService();
try {
  writeJson("package.json", { type: "module", private: true, dependencies: PACKAGES });
  await run("npm", "install", "--no-audit", "--no-fund");
  writeJson(".spectral.json", SPECTRAL);
  const strictly = ["--ruleset", ".spectral.json", "--fail-severity", "hint"];
  say(`spectral: ${await tool("spectral", "lint", DOCUMENT, ...strictly)}`);
  await tool("openapi-ts", "-i", DOCUMENT, "-o", "hey-api");
  const output = { mode: "single", client: "fetch", target: "orval/api.ts", baseUrl: service.url };
  write("orval.config.mjs", `export const api = ${JSON.stringify({ input: { target: DOCUMENT }, output })};`);
  await tool("orval", "--config", "orval.config.mjs");
  for (const name of ["hey-api", "orval"]) say(`${name}: ${await tried(name, service.url)}`);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}
