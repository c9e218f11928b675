// A record of everything that left: clients ask, hang up in the middle, and change the policy, while disks fill up,
// database sessions are lost, and processes are killed. After each round, every prompt that the model received and every
// piece of an answer that a client got must have a receipt on record, and nothing may have left after its revoke.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "#contract/client/client.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { send } from "#test/support/send.ts";
import { type Random, randomFrom } from "#test/torture/kills/seeded-random.ts";
import { type Replica, startReplica } from "#test/torture/start-replicas.ts";
import { checkDepartures, type RecordedReceipts } from "./check-departures.ts";
import { type Disturbance, fillDisk, killDatabase, loseSessions } from "./disturbances.ts";
import { createDepartureLog, type DepartureLog, newQuestion, spellNamespaces } from "./log-departures.ts";

interface DepartureOptions {
  readonly database: "sqlite" | "postgres";
  readonly rounds: number;
  readonly seed: number;
  /** Takes out the opening of receipts, to show that the check notices. The run then ends at the first violation. */
  readonly without?: "begun";
  readonly onProgress?: (rounds: number) => void;
}

export interface DepartureReport {
  rounds: number;
  readonly disturbances: Map<Disturbance, number>;
  questions: number;
  hangUps: number;
  /** Questions and changes that failed, for whatever reason. */
  failed: number;
  readonly prompts: number;
  readonly heard: number;
  readonly uses: number;
  recorded?: RecordedReceipts;
  readonly violations: readonly string[];
}

const AGENTS = ["a", "b"];
const NAMESPACES = ["x", "y", "z"];
const CALLERS = 12;
const LONGEST_ROUND_MS = 1_500;
const DISTURBANCES = {
  sqlite: ["none", "full disk", "full disk", "full disk", "killed service"],
  postgres: ["none", "lost sessions", "lost sessions", "lost sessions", "killed service", "killed database"],
} as const satisfies Record<string, readonly Disturbance[]>;

export async function watchDepartures(options: DepartureOptions): Promise<DepartureReport> {
  const { rounds, without, onProgress } = options;
  const random = randomFrom(options.seed);
  const folder = await mkdtemp(join(tmpdir(), "portcullis-departures-"));
  const server = options.database === "postgres" ? await startPostgres({ fsync: true }) : undefined;
  const database = server === undefined ? join(folder, "records.db") : (await freshDatabase(server.url)).url;
  const model = await startOpenAiStandIn();
  const log = createDepartureLog();
  model.knobs.answer = spellNamespaces;
  model.knobs.latencyMs = async () => random() * 20;
  model.knobs.tokenMs = 2;
  model.knobs.onChat = (prompt) => log.addPrompt(prompt);
  const counts = { rounds: 0, questions: 0, hangUps: 0, failed: 0 };
  const disturbances = new Map<Disturbance, number>();
  const environment = { DATABASE_URL: database, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in", SEED: "none" };
  const start = () => startReplica({ environment, ...(without !== undefined && { without }) });
  let replica = await start();
  let recorded: RecordedReceipts | undefined;
  let violations: readonly string[] = [];

  async function disturb(kind: Disturbance): Promise<void> {
    disturbances.set(kind, (disturbances.get(kind) ?? 0) + 1);
    await delay((random() * LONGEST_ROUND_MS) / 2);
    if (kind === "full disk") await fillDisk(replica.pid, database, random);
    if (kind === "lost sessions") await loseSessions(database, random);
    if (kind === "killed database" && server !== undefined) await killDatabase(server);
    if (kind === "killed service") await replica.stop();
    await delay((random() * LONGEST_ROUND_MS) / 2);
  }

  try {
    await prepare(clientOf(replica));
    // On a busy machine, the first disturbances may come before any prompt has left.
    const isDone = () => counts.rounds >= rounds && (log.prompts.size > 0 || counts.rounds >= 10 * rounds);
    while (!isDone() && violations.length === 0) {
      let isOver = false;
      const until = async (work: () => Promise<void>) => {
        while (!isOver) await work();
      };
      const working = [
        ...Array.from({ length: CALLERS }, () => until(() => ask(replica, { log, random, counts }))),
        ...AGENTS.map((agentId) =>
          until(() => change(replica, { log, random, counts, agentId, modelUrl: model.baseUrl })),
        ),
      ];
      const kind = random.pick(DISTURBANCES[options.database]);
      await disturb(kind).finally(() => {
        isOver = true;
      });
      await Promise.all(working);
      if (replica.ended() !== undefined || kind === "killed service") replica = await start();
      ({ recorded, violations } = await checkDepartures(database, log));
      counts.rounds += 1;
      onProgress?.(counts.rounds);
    }
  } finally {
    await replica.stop();
    await model.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const { prompts, heard, history } = log;
  return {
    ...counts,
    disturbances,
    prompts: prompts.size,
    heard: heard.size,
    uses: history.uses,
    ...(recorded && { recorded }),
    violations,
  };
}

const clientOf = ({ url }: Replica): Client => createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive });

async function prepare(client: Client): Promise<void> {
  for (const namespace of NAMESPACES) {
    await client.capture({ namespace, content: `text of ${namespace}`, sourceAgent: "s" });
    for (const agentId of AGENTS) await client.setAccess({ agentId, namespace, allowed: true });
  }
}

interface Work {
  readonly log: DepartureLog;
  readonly random: Random;
  readonly counts: { questions: number; hangUps: number; failed: number };
}

/** A third of the questions hang up: after some pieces, or after some time. */
async function ask(replica: Replica, { log, random, counts }: Work): Promise<void> {
  const agentId = random.pick(AGENTS);
  const query = newQuestion(agentId);
  const leaving = new AbortController();
  const pieces = random.isBelow(1 / 3) ? 1 + random.below(30) : Number.POSITIVE_INFINITY;
  const isStreamed = random.isBelow(0.6);
  let got = 0;
  const hangUp = () => {
    if (leaving.signal.aborted) return;
    counts.hangUps += 1;
    leaving.abort();
  };
  const timer = !isStreamed && Number.isFinite(pieces) ? setTimeout(hangUp, pieces * 2) : undefined;
  const onText = (piece: string) => {
    log.addPiece(query, piece);
    got += 1;
    if (got >= pieces) hangUp();
  };
  counts.questions += 1;
  try {
    const options = { signal: leaving.signal, ...(isStreamed && { onText }) };
    const { answer, receipt } = await clientOf(replica).chat({ agentId, query }, options);
    log.addPiece(query, answer);
    log.addReceipt(receipt);
  } catch {
    counts.failed += 1;
    // A service that is gone refuses at once.
    await delay(random() * 20);
  } finally {
    clearTimeout(timer);
  }
}

/** A change that failed may have taken effect, and is never acknowledged. */
async function change(
  replica: Replica,
  { log, random, counts, agentId, modelUrl }: Work & { readonly agentId: string; readonly modelUrl: string },
): Promise<void> {
  const rule = { agentId, namespace: random.pick(NAMESPACES), allowed: random.isBelow(0.6) };
  const acknowledge = log.history.changing([rule]);
  try {
    await clientOf(replica).setAccess(rule);
    // What was sent before the acknowledgement is read first: see revoke-race.ts.
    for (let i = 0; i < 2; i++) await send(`${modelUrl}/ping`);
    acknowledge();
  } catch {
    counts.failed += 1;
  }
  await delay(random() * 60);
}
