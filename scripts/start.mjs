// npm start: prepares the clone, then runs the service, on the Node that the set-up brought where the machine's is too old.
// Uses Node built-ins only and runs on Node 20. A question for help or for the version is answered without preparation.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);

if (args.includes("--help") || args.includes("-h")) {
  // An image of the service has no sources.
  const [help] = ["src", "dist"].map((folder) => join(root, folder, "cli", "help.txt")).filter(existsSync);
  process.stdout.write(readFileSync(help, "utf8"));
} else if (args.includes("--version")) {
  process.stdout.write(`portcullis ${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}\n`);
} else {
  const setup = [join(root, "scripts", "setup.mjs"), "--lean", "--web", "--or-production"];
  const { status } = spawnSync(process.execPath, setup, { stdio: "inherit" });
  if (status === 0) await run();
  else process.exitCode = status || 1;
}

async function run() {
  const brought = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.exe" : "node");
  const runtime = existsSync(brought) ? realpathSync(brought) : process.execPath;
  const built = join(root, "dist", "main.js");
  const main = existsSync(built) ? built : join(root, "src", "main.ts");
  if (runtime === process.execPath) return void (await import(pathToFileURL(main).href));
  // Only the first start of a clone comes here, and only where the machine's own Node is too old.
  const service = spawn(runtime, [main, ...args], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => service.kill(signal));
  service.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
}
