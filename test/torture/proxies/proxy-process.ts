// Starts a proxy of this machine, HAProxy or nginx, with a configuration of its own and without any privileges.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#test/torture/kills/check-service.ts";

export interface ProxyProcess {
  readonly url: string;
  readonly folder: string;
  stop(): Promise<void>;
}

/** Debian's package of the same name installs it. */
export type ProxyProgram = "haproxy" | "nginx";

interface ProxyOptions {
  readonly program: ProxyProgram;
  readonly configuration: (place: { readonly port: number; readonly folder: string }) => string;
  /** How the program is told to stay in the foreground with this configuration. */
  readonly args: (file: string, folder: string) => readonly string[];
}

export async function startProxy({ program, configuration, args }: ProxyOptions): Promise<ProxyProcess> {
  const folder = await mkdtemp(join(tmpdir(), `portcullis-${program}-`));
  const port = await freePort();
  const file = join(folder, `${program}.conf`);
  await writeFile(file, configuration({ port, folder }));
  const child = await spawned(program, args(file, folder));
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = once(child, "exit");
  // A trial that is interrupted leaves nothing behind.
  const clear = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", clear);
  const url = `http://127.0.0.1:${port}`;
  const answers = () => fetch(url, { headers: { connection: "close" } }).then(() => true);
  await until(`${program} does not listen.`, async () => child.exitCode !== null || answers());
  if (child.exitCode !== null) throw new Error(`${program} ended by itself: ${errors}`);
  return { url, folder, stop: () => stop(child, exited, clear) };
}

async function stop(child: ChildProcess, exited: Promise<unknown>, clear: () => void): Promise<void> {
  child.kill("SIGTERM");
  await exited;
  process.off("exit", clear);
  clear();
}

/** Rejects, with what to do, unless it is installed. */
export async function requireProxy(program: ProxyProgram): Promise<void> {
  await once(await spawned(program, ["-v"]), "exit");
}

/** From the PATH, or from where Debian puts nginx, which only an administrator's shell looks at. */
async function spawned(program: ProxyProgram, args: readonly string[]): Promise<ChildProcess> {
  for (const command of [program, `/usr/sbin/${program}`]) {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    const hasStarted = await once(child, "spawn").then(
      () => true,
      () => false,
    );
    if (hasStarted) return child;
  }
  throw new Error(`This trial needs ${program}. On Debian: apt-get install ${program}`);
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
