// npm start: prepares the clone, then runs the service on the Node that the set-up brought. Uses Node built-ins only and
// runs on Node 20. A question for help or for the version is answered without any preparation.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);

if (args.includes("--help") || args.includes("-h")) {
  process.stdout.write(readFileSync(join(root, "src", "cli", "help.txt"), "utf8"));
} else if (args.includes("--version")) {
  process.stdout.write(`portcullis ${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}\n`);
} else {
  const setup = [join(root, "scripts", "setup.mjs"), "--service", "--web"];
  const { status } = spawnSync(process.execPath, setup, { stdio: "inherit" });
  if (status === 0) await run();
  else process.exitCode = status || 1;
}

async function run() {
  const brought = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  const runtime = existsSync(brought) ? realpathSync(brought) : process.execPath;
  if (runtime === process.execPath) return void (await import("../src/main.ts"));
  // Only the first start of a clone comes here: before the installation there was no other Node than the machine's.
  const service = spawn(runtime, [join(root, "src", "main.ts"), ...args], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => service.kill(signal));
  service.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
}
