// Checks the types of the service, the web app and the browser tests. Two packages bring a command tsc (typescript, and
// typescript-5 for a generator of clients), and which one npm links is not said, so this names ours.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

for (const project of [".", "web", "test/browser"]) {
  const { status } = spawnSync(process.execPath, [TSC, "-p", project], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
