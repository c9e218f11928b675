// Supervises one PostgreSQL, which must not outlive its starter: when standard input ends, for whatever reason, it stops
// the server and removes its folder. `node supervisor.ts <folder> <uid> <gid> <postgres> <arguments>`
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
// Ctrl-C reaches the whole process group. The starter may still use the server while it ends, so signals are ignored.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

server.on("error", () => process.exit(1));
server.on("exit", (code) => {
  if (isAbandoned) rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
