// Replicas that are stopped, woken and killed, and a database that loses sessions and restarts, under the load of the race.
// Nothing may leak, and the other replicas are asked how long a change of the policy and a recall take meanwhile.
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "#contract/client/client.ts";
import { ConnectionError } from "#contract/client/read-reply.ts";
import { ProblemError } from "#contract/problem.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import type { PostgresServer } from "#test/support/postgres/server.ts";
import { endSessionsOfActions } from "./lose-sessions.ts";
import { GONE, insist, revokeRace } from "./revoke-race.ts";
import type { Replica } from "./start-replicas.ts";

interface FaultOptions {
  readonly database: string;
  readonly server: PostgresServer;
  /** How often each fault meets each replica. */
  readonly rounds: number;
  readonly onProgress?: (done: number, all: number) => void;
}

interface Place {
  readonly victim: Replica;
  readonly database: string;
  readonly server: PostgresServer;
}

/** Each takes as long as the other replicas are watched. */
const FAULTS: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  async "replica stopped for 1 to 6 s"({ victim }) {
    victim.pause();
    await delay(1_000 + Math.random() * 5_000);
    victim.resume();
  },
  async "replica killed"({ victim }) {
    await victim.stop();
    await delay(AFTER_MS);
  },
  async "sessions of running actions ended"({ database }) {
    await endSessionsOfActions(database);
    await delay(AFTER_MS);
  },
  "PostgreSQL restarted": ({ server }) => server.restart(),
  "PostgreSQL killed and started": ({ server }) => server.kill().then(server.start),
};

const AFTER_MS = 1_000;
const REPLICAS = 3;
const CALLERS = 20;

interface Waits {
  times: number;
  /** The longest ones, in milliseconds. */
  change: number;
  recall: number;
  /** Of the change that needed most. */
  tries: number;
}

export async function strikeReplicas({ database, server, rounds, onProgress }: FaultOptions) {
  const faults = Object.keys(FAULTS);
  const all = rounds * REPLICAS * faults.length;
  const waits = new Map<string, Waits>(faults.map((name) => [name, { times: 0, change: 0, recall: 0, tries: 0 }]));
  let done = 0;
  const race = await revokeRace({
    ...{ database, replicas: REPLICAS, callers: CALLERS },
    ...{ requests: 0, losses: all, seconds: Number.POSITIVE_INFINITY },
    async lose(_, replicas, start) {
      const name = faults[done % faults.length] as string;
      const place = Math.trunc(done / faults.length) % replicas.length;
      const victim = replicas[place] as Replica;
      const strike = FAULTS[name] as (typeof FAULTS)[string];
      await watch(
        replicas.filter((replica) => replica !== victim),
        waits.get(name) as Waits,
        () => strike({ victim, database, server }),
      );
      if (!victim.isServing()) replicas[place] = await start();
      done += 1;
      onProgress?.(done, all);
    },
  });
  return { race, waits };
}

/** Asks these replicas without a pause, from before the fault until after it. */
async function watch(replicas: readonly Replica[], waits: Waits, strike: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  async function ask(what: "change" | "recall", request: (client: Client) => Promise<unknown>): Promise<void> {
    for (let i = 0; !isOver || i === 0; i++) {
      const began = performance.now();
      let tries = 0;
      const { url } = replicas[i % replicas.length] as Replica;
      const client = createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive });
      await insist(() => {
        tries += 1;
        return request(client).catch(refusedIfCut);
      });
      waits[what] = Math.max(waits[what], performance.now() - began);
      if (what === "change") waits.tries = Math.max(waits.tries, tries);
    }
  }
  let version = 0;
  const asking = [
    ask("change", (client) => client.setAccess({ agentId: "probe", namespace: "probe", allowed: ++version % 2 === 0 })),
    ask("recall", (client) => client.recall({ agentId: "a", query: "a" })),
  ];
  await strike();
  isOver = true;
  await Promise.all(asking);
  waits.times += 1;
}

/** A reply whose lock was lost while it was sent is cut off. What was asked here may be asked again. */
function refusedIfCut(error: unknown): never {
  if (error instanceof ConnectionError) throw new ProblemError(GONE);
  throw error;
}

export const sentenceOfWaits = ({ times, change, recall, tries }: Waits): string =>
  `${times} times; a change of the policy took ${seconds(change)} at most (${tries} tries), a recall ${seconds(recall)}`;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
