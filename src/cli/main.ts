#!/usr/bin/env node
// The command `portcullis`. It turns the compile cache on before it imports the rest, as the service does.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/portcullis", import.meta.url)));

const [{ abortOnInterrupt, runCommand }, { outputTo }, { readClientEnvironment }] = await Promise.all([
  import("./run-command.ts"),
  import("./terminal/output.ts"),
  import("./environment.ts"),
]);

const args = process.argv.slice(2);

process.exitCode = await runCommand(args, {
  stdin: process.stdin,
  out: outputTo(process.stdout),
  err: outputTo(process.stderr),
  signal: abortOnInterrupt(args),
  clientEnvironment: readClientEnvironment,
  serviceEnvironment: async () => (await import("#environment.ts")).readEnvironment(),
});
