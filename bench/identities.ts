// What it costs a chat that callers say who they are: the same service with more and more of it turned on.
import { join } from "node:path";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createKey } from "#service/identity/keys.ts";
import type { Benchmark, Figure } from "./support/benchmark.ts";
import { type Served, serveLoad } from "./support/load-generator.ts";
import { CHAT_BODIES } from "./support/questions.ts";
import { type Server, startServiceWith } from "./support/servers.ts";
import { ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_UP_SECONDS = 5;
const ROUND_SECONDS = 2;
/** At most 30 % slower. */
const LEAST_RATIO = 1 / 1.3;
const NO_LIMITS = { LIMIT_ANSWERS_PER_MINUTE: "0" };
/** So many that nobody is refused: what is measured is the counting. */
const LIMITS = { LIMIT_ANSWERS_PER_MINUTE: "100000000" };

/** Each adds a part to the one before it. */
const VARIANTS = [
  { id: "plain", what: "open, without decision log", environment: NO_LIMITS, isLogged: false },
  { id: "log", what: "+ decision log", environment: NO_LIMITS, isLogged: true },
  { id: "keys", what: "+ keys", environment: { AUTH: "keys", ...NO_LIMITS }, isLogged: true },
  { id: "limits", what: "+ limits", environment: { AUTH: "keys", ...LIMITS }, isLogged: true },
] as const;

export const identities: Benchmark = {
  title: `${CONNECTIONS} connections chat as an agent, with decision log, keys and limits turned on one by one`,

  async run(progress) {
    const servers: Server[] = [];
    const served = VARIANTS.map((): Served[] => []);
    try {
      const loads: ((seconds: number) => Promise<Served>)[] = [];
      for (const { environment, isLogged } of VARIANTS) {
        const folder = createTemporaryFolder();
        const database = join(folder, "portcullis.db");
        const authorization = `Bearer ${await keyIn(database)}`;
        const server = await startServiceWith(
          folder,
          { DATABASE_URL: database, SEED: "demo", ...environment },
          { isLogged },
        );
        servers.push(server);
        const load = { bodies: CHAT_BODIES, path: "/api/chat", connections: CONNECTIONS, headers: { authorization } };
        loads.push((seconds) => serveLoad(server, { ...load, seconds }));
      }
      for (const [i, load] of loads.entries()) {
        progress(`identities: warming up ${VARIANTS[i]?.id}`);
        await load(WARM_UP_SECONDS);
      }
      for (let round = 1; round <= ROUNDS; round++) {
        for (const [i, load] of loads.entries()) {
          progress(`identities: round ${round} of ${ROUNDS}, ${VARIANTS[i]?.id}`);
          served[i]?.push(await load(ROUND_SECONDS));
        }
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
    const speeds = served.map((rounds) => rounds.map(({ perSecond }) => perSecond));
    const cpus = served.map((rounds) => rounds.flatMap(({ cpuMicros }) => cpuMicros ?? []));
    const figures = VARIANTS.flatMap(({ id, what }, i): Figure[] => [
      { id: `${id}Speed`, what, unit: "requests/s", rounds: speeds[i] ?? [] },
      { id: `${id}Cpu`, what: `${what}: CPU per request`, unit: "µs", rounds: cpus[i] ?? [] },
    ]);
    const ratio = ratios(speeds.at(-1) ?? [], speeds[0] ?? []);
    return {
      figures: [...figures, { id: "ratio", what: "everything / plain", rounds: ratio, aim: { atLeast: LEAST_RATIO } }],
      notes: ["What a part costs is the difference between two lines. SQLite, durable receipts, the built-in model."],
    };
  },
};

/** An admin's key, made before the service starts: it speaks as any agent, so that all questions work. */
async function keyIn(database: string): Promise<string> {
  const records = sqliteRecords({ path: database });
  try {
    return (await createKey({ records, now: () => new Date() }, { name: "benchmark", role: "admin" }, "benchmark")).key;
  } finally {
    await records.close();
  }
}
