// Runs one PostgreSQL and never outlives whoever started it: when standard input ends, however that came about, the
// server is stopped and its folder removed. `node keeper.ts <folder> <uid> <gid> <postgres> <arguments>`
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

const [folder = "", uid = "", gid = "", postgres = "", ...args] = process.argv.slice(2);
const owner = uid === "" ? {} : { uid: Number(uid), gid: Number(gid) };
const server = spawn(postgres, args, { ...owner, env: { LC_ALL: "C", TZ: "UTC" }, stdio: ["ignore", 2, 2] });

let isAbandoned = false;
process.stdin.resume().on("close", () => {
  isAbandoned = true;
  server.kill("SIGQUIT");
});
// Ctrl-C goes to the whole group. Whoever started us may still be using the server while it ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

server.on("error", () => process.exit(1));
server.on("exit", (code) => {
  if (isAbandoned) rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
