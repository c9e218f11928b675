// A real PostgreSQL for tests, on a free port of loopback and in a folder of its own. It is removed when the tests end.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, createHmac, pbkdf2Sync, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { type Binaries, findBinaries, isExecutable, type Owner, ownerOf, type Source } from "./binaries.ts";

const SUPERVISOR = fileURLToPath(new URL("./supervisor.ts", import.meta.url));
const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/portcullis-postgres", import.meta.url));

export interface ServerOptions {
  readonly source?: Source | undefined;
  /** Whether commits wait for the disk. Only a test that kills the server needs it. */
  readonly fsync?: boolean;
  /** Further ones of the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface PostgresServer {
  /** Of the database `postgres`, as superuser. */
  readonly url: string;
  readonly version: string;
  /** As an administrator does it: the server ends its sessions, stops, and starts again on the same port. */
  restart(): Promise<void>;
  /** Like a power cut: nothing ends in order. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

export async function startPostgres({
  source,
  fsync = false,
  settings = {},
}: ServerOptions = {}): Promise<PostgresServer> {
  const owner = ownerOf();
  const found = findBinaries(source, owner);
  const folder = mkdtempSync(join(tmpdir(), "portcullis-pg-"));
  try {
    return await startIn(folder, reachableFrom(folder, found, owner), owner, {
      ...settings,
      fsync: fsync ? "on" : "off",
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(
  folder: string,
  binaries: Binaries,
  owner: Owner | undefined,
  given: Readonly<Record<string, string>>,
) {
  const data = join(folder, "data");
  prepareData(binaries, data, owner);
  const port = await freePort();
  const password = randomUUID();
  const settings = { listen_addresses: "127.0.0.1", max_connections: 300, ...given };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [binaries.postgres, "-D", data, "-k", folder, "-p", String(port), ...options];
  let supervisor: ChildProcess | undefined;

  async function start(): Promise<void> {
    // After a crash the children of the old server may hold its shared memory for a moment longer.
    for (let tries = 5; ; tries -= 1) {
      supervisor = spawn(
        process.execPath,
        [SUPERVISOR, folder, `${owner?.uid ?? ""}`, `${owner?.gid ?? ""}`, ...command],
        {
          stdio: ["pipe", "ignore", "pipe"],
        },
      );
      const failure = await untilReady(supervisor);
      if (failure === undefined) return;
      if (tries === 0) throw new Error(`PostgreSQL does not start:\n${failure}`);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (supervisor === undefined || supervisor.exitCode !== null) return;
    const ended = once(supervisor, "exit");
    const postmaster = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
    const children = signal === "SIGKILL" ? childrenOf(postmaster) : [];
    for (const pid of [postmaster, ...children]) sendTo(pid, signal);
    await ended;
  }

  await start();
  await setPassword(folder, port, password);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    version: binaries.version,
    start,
    kill: () => end("SIGKILL"),
    async restart() {
      await end("SIGINT");
      await start();
    },
    async stop() {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The children of a process, on Linux. Elsewhere they notice that the postmaster is gone, and end by themselves. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? (readFileSync(path, "utf8").match(/\d+/g) ?? []).map(Number) : [];
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
}

/** Copies the binaries into the server's folder if the owner cannot execute them where they are. */
function reachableFrom(folder: string, binaries: Binaries, owner: Owner | undefined): Binaries {
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  if (isExecutable(binaries.postgres, owner)) return binaries;
  const copy = join(folder, "native");
  run("cp", ["-R", binaries.folder, copy]);
  run("chmod", ["-R", "a+rX", copy]);
  return { ...binaries, folder: copy, initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
}

/** Makes a data directory. It is a copy of a cached one, because `initdb` takes longer than everything else. */
function prepareData(binaries: Binaries, data: string, owner: Owner | undefined): void {
  const template = join(CACHE, binaries.version);
  if (existsSync(template)) {
    run("cp", ["-R", template, data]);
    if (owner !== undefined) run("chown", ["-R", `${owner.uid}:${owner.gid}`, data]);
    return;
  }
  const options = ["--username=postgres", "--encoding=UTF8", "--locale=C", "--wal-segsize=1", "--no-sync"];
  run(binaries.initdb, ["-D", data, ...options, "--auth=trust"], owner);
  // Only the owner can reach the folder of the sockets. Everybody on this machine can reach the port.
  writeFileSync(join(data, "pg_hba.conf"), "local all all trust\nhost all all 127.0.0.1/32 password\n");
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, "new-"));
  run("cp", ["-R", data, join(unfinished, "data")]);
  // Two servers that start at once may both make the template. The first one stays.
  if (!existsSync(template)) renameSync(join(unfinished, "data"), template);
  rmSync(unfinished, { recursive: true });
}

/** Undefined when the server is ready; its log when it ends instead. */
function untilReady(supervisor: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let log = "";
    supervisor.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = `${log}${text}`.slice(-10_000);
      if (log.includes("database system is ready to accept connections")) resolve(undefined);
    });
    supervisor.once("close", () => resolve(log));
  });
}

async function setPassword(host: string, port: number, password: string): Promise<void> {
  const client = new Client({ host, port, user: "postgres", database: "postgres" });
  await client.connect();
  await client.query(`ALTER ROLE postgres PASSWORD '${verifierOf(password)}'`);
  await client.end();
}

/** As PostgreSQL keeps it, with one iteration. Its usual 4,096 took a third of the CPU time of tests that connect often. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 1, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  return `SCRAM-SHA-256$1:${salt.toString("base64")}$${stored}:${keyOf("Server Key").toString("base64")}`;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function run(command: string, args: readonly string[], owner?: Owner): void {
  const { status, stderr, error } = spawnSync(command, args, { ...owner, env: { LC_ALL: "C" }, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${stderr ?? error?.message}`);
}
