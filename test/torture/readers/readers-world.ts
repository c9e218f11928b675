// A service in a process of its own, with long replies for every route that streams, and keys for those who ask.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { capture } from "#service/memories/capture.ts";
import { startServiceProcess } from "#test/support/service-process.ts";
import { startKeyedService } from "#test/support/start-keyed-service.ts";
import { temporaryFolder } from "#test/support/temporary-folder.ts";

const AGENTS = 10;
const DECISIONS = 100;
const RULES = 300;
const MEMORIES = 300;
/** Of each memory, in characters. */
const LENGTH = 1_000;
/** Of a row's list. A row then has some 4 KB. */
const NAMES = Array.from({ length: 100 }, (_, i) => `namespace-${i}`.padEnd(40, "x"));
const SMALL_BUFFERS = new URL("./small-socket-buffers.ts", import.meta.url).href;

export interface ReadersWorld {
  /** Of agents that read. */
  readonly keys: readonly string[];
  /** Of an agent, and of an admin, who are served meanwhile. */
  readonly otherKey: string;
  readonly adminKey: string;
  /** Starts a service on the same records. With `hasKeys: false`, nobody has to say who they are. */
  start(options: { readonly hasKeys: boolean }): Promise<ServiceOfReaders>;
  remove(): Promise<void>;
}

export interface ServiceOfReaders {
  readonly url: string;
  readonly pid: number;
  kill(signal: "SIGINT" | "SIGKILL"): Promise<{ readonly code: number | null }>;
}

export async function createReadersWorld(): Promise<ReadersWorld> {
  const folder = await mkdtemp(join(temporaryFolder(), "portcullis-readers-"));
  const database = join(folder, "records.db");
  const common = {
    DATABASE_URL: database,
    PORT: "0",
    NODE_OPTIONS: `--import=${SMALL_BUFFERS}`,
    LIMIT_READS_PER_MINUTE: "0",
    LIMIT_WRITES_PER_MINUTE: "0",
    LIMIT_ANSWERS_PER_MINUTE: "0",
  };
  return {
    ...(await fill(database)),
    async start({ hasKeys }) {
      const service = startServiceProcess(folder, { ...common, ...(hasKeys && { AUTH: "keys" }) });
      return { url: await service.ready(), pid: service.pid, kill: (signal) => service.kill(signal) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function fill(database: string) {
  const service = await startKeyedService({ database });
  const { adminKey, admin, tenant, keyFor } = service;
  try {
    const keys: string[] = [];
    const facts = Array.from({ length: MEMORIES }, (_, i) => `${i} `.padEnd(LENGTH, "apples and pears "));
    await Promise.all(facts.map((content) => capture(tenant, { namespace: "diet", sourceAgent: "filler", content })));
    for (let i = 0; i < RULES; i++)
      await admin.setAccess({ agentId: `agent-${i}`.padEnd(60, "x"), namespace: "diet", allowed: true });
    for (let i = 0; i < AGENTS; i++) {
      const agentId = `reader-${i}`;
      keys.push((await keyFor(`agent:${agentId}`, { captures: ["diet"] })).key);
      await admin.setAccess({ agentId, namespace: "diet", allowed: true });
      const decision = {
        at: new Date().toISOString(),
        principalId: "key:reader",
        principalName: agentId,
        role: "agent",
        agentId,
        route: "recall",
        policyVersion: 1,
        blocked: { digest: "0x1", names: NAMES },
        outcome: "answered",
      } as const;
      await Promise.all(Array.from({ length: DECISIONS }, () => tenant.records.decisions.add(decision)));
    }
    return { adminKey, keys, otherKey: (await keyFor("agent:other")).key };
  } finally {
    await service.stop();
  }
}
