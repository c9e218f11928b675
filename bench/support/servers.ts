// The two servers that are compared, each in its own process: Portcullis with its default configuration, and a bare Hono
// handler.
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, startNode } from "./child-process.ts";
import { freePort } from "./free-port.ts";

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of /readyz. */
  readonly readyAfterMs: number;
  /** Why the process ended; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

const SERVICE = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** As the package has it: `npm run build:package` makes it. */
const PACKAGED = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const WITHOUT_LOG = fileURLToPath(new URL("./service-without-log-main.ts", import.meta.url));
const WITHOUT_ENTRIES = fileURLToPath(new URL("./service-without-entries-main.ts", import.meta.url));
const PROXY = fileURLToPath(new URL("./proxy-server.ts", import.meta.url));
const BARE = fileURLToPath(new URL("./bare-server.ts", import.meta.url));

/** `folder` holds the database. The service seeds it if there is none. */
export function startService(folder: string): Promise<Server> {
  return startServiceOn(folder, join(folder, "portcullis.db"));
}

/** `portcullis serve` of the package. */
export function startPackaged(folder: string): Promise<Server> {
  return start(PACKAGED, folder, { DATABASE_URL: join(folder, "portcullis.db"), SEED: "demo" }, ["serve"]);
}

/** The same without entries for its transparency log. */
export function startWithoutEntries(folder: string): Promise<Server> {
  return start(WITHOUT_ENTRIES, folder, { DATABASE_URL: join(folder, "portcullis.db"), SEED: "demo" });
}

/** On a database elsewhere: a file, or the URL of one in PostgreSQL. */
export function startServiceOn(folder: string, database: string): Promise<Server> {
  return start(SERVICE, folder, { DATABASE_URL: database, SEED: "demo" });
}

/** With this environment, and perhaps without its decision log. */
export function startServiceWith(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { isLogged }: { readonly isLogged: boolean },
): Promise<Server> {
  return start(isLogged ? SERVICE : WITHOUT_LOG, folder, environment);
}

/** Answers every chat with the JSON in the file `answer`, if given. */
export function startBare(folder: string, answer?: string): Promise<Server> {
  return start(BARE, folder, answer === undefined ? {} : { ANSWER: answer });
}

/** A provider of OpenAI's chat completions that takes so long for each. */
export function startProvider(folder: string, answer: string, latencyMs: number): Promise<Server> {
  return start(BARE, folder, { ANSWER: answer, LATENCY_MS: String(latencyMs) });
}

/** Passes requests on to the server at `target`. */
export function startProxy(folder: string, target: string): Promise<Server> {
  return start(PROXY, folder, { TARGET: target });
}

async function start(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = startNode({ args: [script, ...args], cwd, env: { ...env, HOST: "127.0.0.1", PORT: String(port) } });
  try {
    await untilReady(`${url}/readyz`, child);
  } catch (error) {
    await child.stop();
    throw error;
  }
  const { pid, ended, stop } = child;
  return { url, pid, readyAfterMs: performance.now() - started, ended, stop };
}

const POLL_MS = 3;
const READY_TIMEOUT_MS = 30_000;

async function untilReady(url: string, child: Child): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while ((await statusOf(url)) !== 200) {
    const end = child.ended();
    if (end !== undefined) throw new Error(end);
    if (performance.now() > deadline) throw new Error(`${url} was not ready after ${READY_TIMEOUT_MS / 1_000} s.`);
    await sleep(POLL_MS);
  }
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2_000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(undefined));
  });
}
