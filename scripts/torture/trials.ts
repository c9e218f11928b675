// The trials: the harnesses of test/torture with their full numbers.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { checkEntryPoint } from "#test/entry-points/check-entry-point.ts";
import { entryPoints } from "#test/entry-points/entry-points.ts";
import { ALL_POLICIES, somePolicies } from "#test/entry-points/policies.ts";
import { createWorld } from "#test/identity/world.ts";
import { compareVerifiers } from "#test/proof/bundles/compare-verifiers.ts";
import { hasPython } from "#test/proof/bundles/python-verifier.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { EVERYTHING } from "#test/support/runs.ts";
import { watchDepartures } from "#test/torture/departures/watch-departures.ts";
import { forgetMany } from "#test/torture/forget-many.ts";
import { type Leak, sentenceOf } from "#test/torture/history.ts";
import { interleave } from "#test/torture/interleavings.ts";
import { type KillReport, killRepeatedly } from "#test/torture/kills/kill-repeatedly.ts";
import { randomFrom } from "#test/torture/kills/seeded-random.ts";
import { type LogRaceOptions, raceLog } from "#test/torture/log/race-log.ts";
import { mountSmallDisk } from "#test/torture/log/small-disk.ts";
import { endSessionsOfActions } from "#test/torture/lose-sessions.ts";
import { operateUnderLoad } from "#test/torture/operate/operate-under-load.ts";
import { killBehindProxy, sentenceOfSent } from "#test/torture/proxies/killed-replicas.ts";
import { streamThroughNginx } from "#test/torture/proxies/nginx-streams.ts";
import type { ProxyProgram } from "#test/torture/proxies/proxy-process.ts";
import { restartRolling } from "#test/torture/proxies/rolling-restarts.ts";
import { createReadersWorld } from "#test/torture/readers/readers-world.ts";
import { trialOfReaders } from "#test/torture/readers/trial-of-readers.ts";
import { sentenceOfWaits, strikeReplicas } from "#test/torture/replica-faults.ts";
import { attackWithRequests } from "#test/torture/requests/attack-with-requests.ts";
import { LONGEST_ACTION_MS, revokeRace } from "#test/torture/revoke-race.ts";
import { STATEMENTS_BY_TENANT } from "#test/torture/tenant-left-out.ts";
import { flood } from "#test/torture/tenants/floods.ts";
import { serveManyUsers } from "#test/torture/tenants/many-users.ts";

export interface TrialOptions {
  readonly seed: number;
  /** Small numbers, to see whether the trial works at all. */
  readonly quick: boolean;
  /** How many tenants the trial of tenants makes, in place of its usual number. */
  readonly tenants?: number | undefined;
  readonly onStatus: (status: string) => void;
}

export interface Outcome {
  readonly numbers: Readonly<Record<string, number | string>>;
  /** Broken promises. */
  readonly violations: readonly string[];
}

export interface Trial {
  readonly title: string;
  /** What has to be installed. */
  readonly needs?: readonly ProxyProgram[];
  run(options: TrialOptions): Promise<Outcome>;
}

const REPLICAS = 3;
const FENCES = ["send", "release"] as const;
const CHECKER_MS = 60_000;
/** Longer than nginx waits for a byte. */
const NGINX_IDLE_MS = 75_000;
/** Clients of each route that read nothing: more than the service has streams for. */
const READERS = 1_200;
/** How many keys they have. */
const KEYS_OF_READERS = [
  ["one key", 1],
  ["ten keys", 10],
  ["no key", 0],
] as const;
/** Its script has the source of this verifier: of so many bundles it judges one. */
const BUNDLES_A_PAGE = 10;
/** Of the losses, those of the whole server. */
const SHARE_OF_KILLS = 0.05;

export const trials: ReadonlyMap<string, Trial> = new Map<string, Trial>([
  [
    "interleavings",
    {
      title: "chats, streams, revokes, grants, resets and removals of memories in 3 tenants, in 100,000 orders",
      run: interleavings,
    },
  ],
  [
    "race",
    { title: "10,000 requests to 3 replicas on one PostgreSQL, with revokes and removals in between", run: racing },
  ],
  [
    "lost-sessions",
    { title: "3,000 requests while database sessions are lost, and the server is killed", run: losing },
  ],
  [
    "stopped",
    {
      title: "replicas stopped, woken and killed, and sessions and PostgreSQL lost, under load: no leak",
      run: striking,
    },
  ],
  [
    "checker",
    { title: "with a fence taken out, or a tenant left out, the searches find a leak within a minute", run: checker },
  ],
  [
    "departures",
    {
      title: "hang-ups, full disks, lost sessions and kills: every prompt and piece that left has a receipt",
      run: departing,
    },
  ],
  ["requests", { title: "20,000 hostile requests from callers of every kind, on each database", run: attacking }],
  [
    "rolling",
    {
      title: "ten rolling restarts of 3 replicas behind HAProxy, and no request fails",
      needs: ["haproxy"],
      run: rolling,
    },
  ],
  [
    "tenants",
    {
      title: "20,000 tenants made over 3 replicas with rolling restarts, and floods in one beside another",
      needs: ["haproxy"],
      run: tenanting,
    },
  ],
  [
    "log",
    {
      title:
        "replicas that publish one log killed 400 times, sessions lost, servers killed, disks filled, files restored: one tree, and no gap",
      run: logging,
    },
  ],
  [
    "killed",
    {
      title: "replicas killed behind HAProxy and nginx, and no GET fails",
      needs: ["haproxy", "nginx"],
      run: killingBehindProxies,
    },
  ],
  [
    "nginx",
    {
      title: "event streams through nginx with its defaults: at once, in pieces, over a minute",
      needs: ["nginx"],
      run: streaming,
    },
  ],
  ["kills", { title: "500 kills under load (300 on SQLite, 200 on PostgreSQL), and nothing is lost", run: killing }],
  [
    "forget-many",
    { title: "100,000 memories are forgotten in steps, and the service is killed in the middle", run: forgetting },
  ],
  ["entry-points", { title: "all 512 policies through every entry point, beside the oracle of HTTP", run: visiting }],
  [
    "readers",
    {
      title: "clients that read nothing, of every long reply, by one key, by ten and without: others are served",
      run: sticking,
    },
  ],
  [
    "properties",
    { title: "the tests of `npm test` with all that they can generate, four times as much", run: generating },
  ],
  [
    "bundles",
    {
      title: "100,000 mutated proofs, judged by this verifier and by verify.py, one in ten by verify.html",
      run: judgingBundles,
    },
  ],
  ["operate", { title: "ten minutes of pruning, backups and restores under load", run: operating }],
]);

async function judgingBundles({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  if (!hasPython) throw new Error("This trial needs Python 3.10 or later, as python3.");
  const [count, size] = quick ? [2, 500] : [200, 500];
  const batches = Array.from({ length: count }, (_, i) => ({ seed: seed + i, size }));
  const compared = await compareVerifiers(batches, BUNDLES_A_PAGE, (done) =>
    onStatus(`${done * size} of ${count * size} bundles`),
  );
  const verdicts: Record<string, number> = {};
  for (const [verdict, times] of compared.flatMap((each) => Object.entries(each.verdicts)))
    verdicts[verdict] = (verdicts[verdict] ?? 0) + times;
  const codes = new Set(compared.flatMap((each) => each.codes)).size;
  const numbers = { seed, bundles: count * size, "judged by the page, too": (count * size) / BUNDLES_A_PAGE, codes };
  return { numbers: { ...numbers, ...verdicts }, violations: compared.flatMap(({ differences }) => differences) };
}

async function interleavings({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const wanted = quick ? 2_000 : 100_000;
  const onProgress = (done: number) => onStatus(`${done} of ${wanted} runs`);
  const { runs, uses, leaks } = await interleave({ runs: wanted, seed, onProgress });
  return { numbers: { seed, runs, uses, leaks: leaks.length }, violations: leaks.map(sentenceOf) };
}

async function racing({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const requests = quick ? 300 : 10_000;
  const onProgress = (done: number) => onStatus(`${done} of ${requests} requests`);
  const raced = await onPostgres((database) =>
    revokeRace({ database, replicas: REPLICAS, requests, onProgress, seconds: Number.POSITIVE_INFINITY }),
  );
  const { leaks, ...numbers } = raced;
  return { numbers: { ...numbers, leaks: leaks.length }, violations: leaks.map(sentenceOf) };
}

/** Ends the sessions of running actions, and now and then kills the server and starts it again. */
async function losing({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const requests = quick ? 200 : 3_000;
  const onProgress = (done: number) => onStatus(`${done} of ${requests} requests`);
  let [ended, kills] = [0, 0];
  const { leaks, ...numbers } = await onPostgres((database, server) => {
    async function lose(): Promise<void> {
      if (Math.random() < SHARE_OF_KILLS) {
        kills += 1;
        await server.kill();
        await server.start();
      } else ended += await endSessionsOfActions(database);
    }
    const losses = { lose, stretchMs: LONGEST_ACTION_MS };
    const options = { requests, callers: 40, ...losses, onProgress, seconds: Number.POSITIVE_INFINITY };
    return revokeRace({ database, replicas: REPLICAS, ...options });
  });
  return { numbers: { ...numbers, ended, kills, leaks: leaks.length }, violations: leaks.map(sentenceOf) };
}

async function striking({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const onProgress = (done: number, all: number) => onStatus(`${done} of ${all} faults`);
  const { race, waits } = await onPostgres((database, server) =>
    strikeReplicas({ database, server, rounds: quick ? 1 : 4, onProgress }),
  );
  const { leaks, ...numbers } = race;
  return {
    numbers: {
      ...numbers,
      leaks: leaks.length,
      ...Object.fromEntries([...waits].map(([fault, waited]) => [fault, sentenceOfWaits(waited)])),
    },
    violations: leaks.map(sentenceOf),
  };
}

/** Shows that the checkers work: with a fence taken out, they must find a leak. */
async function checker({ seed, onStatus }: TrialOptions): Promise<Outcome> {
  const numbers: Record<string, string> = {};
  const violations: string[] = [];
  async function search(name: string, find: () => Promise<{ readonly leaks: readonly Leak[] }>): Promise<void> {
    onStatus(name);
    const began = performance.now();
    const { leaks } = await find();
    const ms = performance.now() - began;
    numbers[name] = leaks.length === 0 ? "no leak found" : `leak found after ${(ms / 1_000).toFixed(1)} s`;
    if (leaks.length === 0 || ms > CHECKER_MS) violations.push(`${name}: no leak was found within a minute`);
  }
  for (const without of FENCES) {
    await search(`interleavings without the fence before ${without}`, () =>
      interleave({ runs: 100_000, seed, without }),
    );
    for (const gateway of [false, true])
      await search(`race${gateway ? " through the gateway" : ""} without the fence before ${without}`, () =>
        onPostgres((database) => {
          const options = { requests: 1_000_000, seconds: CHECKER_MS / 1_000, without, gateway };
          return revokeRace({ database, replicas: REPLICAS, ...options });
        }),
      );
  }
  for (const without of ["memory", "expiry"] as const)
    await search(`interleavings whose fence does not ask about ${without}`, () =>
      interleave({ runs: 100_000, seed, without }),
    );
  for (const [what, untenanted] of STATEMENTS_BY_TENANT)
    await search(`interleavings without the tenant where a statement ${what}`, () =>
      interleave({ runs: 100_000, seed, untenanted }),
    );
  await search("race whose fence does not ask about memories", () =>
    onPostgres((database) => {
      const options = { requests: 1_000_000, seconds: CHECKER_MS / 1_000, without: "memory" } as const;
      return revokeRace({ database, replicas: REPLICAS, ...options });
    }),
  );
  await search("race without a wait for the actions of lost sessions", () =>
    onPostgres((database) => {
      const losses = { lose: endSessionsOfActions, stretchMs: LONGEST_ACTION_MS, without: "lost" } as const;
      const options = { requests: 1_000_000, callers: 40, seconds: CHECKER_MS / 1_000 };
      return revokeRace({ database, replicas: REPLICAS, ...options, ...losses });
    }),
  );
  return { numbers: { seed, ...numbers }, violations };
}

async function departing({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const rounds = quick ? 5 : 100;
  const numbers: Record<string, string | number> = { seed };
  const violations: string[] = [];
  for (const database of ["sqlite", "postgres"] as const) {
    const onProgress = (done: number) => onStatus(`${done} of ${rounds} rounds on ${database}`);
    const report = await watchDepartures({ database, rounds, seed, onProgress });
    violations.push(...report.violations);
    const { recorded, disturbances } = report;
    numbers[`${database}, disturbances`] = [...disturbances].map(([kind, count]) => `${kind} ${count}`).join(", ");
    numbers[`${database}, clients`] =
      `${report.questions} questions, ${report.hangUps} hang-ups, ${report.failed} failures, ${report.heard} heard something`;
    numbers[`${database}, model`] = `${report.prompts} questions reached it`;
    numbers[`${database}, receipts`] =
      `${recorded?.issued} issued, ${recorded?.brokenOff} broken off, ${recorded?.begun} begun`;
    onStatus(`${database} without begun receipts`);
    const found = await watchDepartures({ database, rounds: 50, seed, without: "begun" });
    numbers[`${database}, without begun receipts`] = `found in round ${found.rounds}`;
    if (found.violations.length === 0)
      violations.push(`${database}: without begun receipts, no departure without a record was found`);
  }
  return { numbers, violations };
}

async function logging({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const numbers: Record<string, string | number> = { seed };
  const violations: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), "portcullis-log-"));
  const race = (name: string, options: Omit<LogRaceOptions, "seed">) =>
    raceLog({ seed, ...options, onProgress: (kills) => onStatus(`${name}, ${kills} kills`) });
  const inFile = (name: string, kills: number, swapped?: LogRaceOptions["swapped"]) =>
    race(name, { database: join(folder, `${name}.db`), replicas: 1, kills, swapped });
  const onServer = (name: string, kills: number, swapped?: LogRaceOptions["swapped"]) =>
    onPostgres((database) => race(name, { database, replicas: REPLICAS, kills, swapped }));
  const onKilledServer = (name: string, kills: number) =>
    onPostgres((database, server) => race(name, { database, server, replicas: REPLICAS, kills }));
  const disk = mountSmallDisk(join(folder, "disk"));
  const onFullDisk = (name: string, kills: number) =>
    race(name, { database: join(folder, "disk", "records.db"), disk, replicas: 1, kills });
  if (disk === undefined) numbers["SQLite, full disk"] = "not tried: there is no right to mount a small file system";
  try {
    for (const [name, run, kills] of [
      ["SQLite", inFile, 100] as const,
      ["PostgreSQL", onServer, 200] as const,
      ["PostgreSQL, server killed", onKilledServer, 60] as const,
      ...(disk === undefined ? [] : [["SQLite, full disk", onFullDisk, 60] as const]),
    ]) {
      const { answers, roots, ...found } = await run(name, quick ? 9 : kills);
      violations.push(...found.violations);
      numbers[name] =
        `${found.kills} kills, ${found.lostSessions} lost sessions, ${found.serverKills} kills of the server, ${found.fullDisks} full disks, ${found.restores} restores (${found.refused} noticed), ${answers.size} answers, ${roots.size} checkpoints`;
    }
    for (const [swapped, run] of [
      ["acknowledged before recorded", inFile] as const,
      ["read before locked", onServer] as const,
    ]) {
      const found = await run(swapped, swapped === "read before locked" ? 40 : 6, swapped);
      numbers[swapped] = `found after ${found.kills} kills`;
      if (found.violations.length === 0) violations.push(`${swapped}: nothing was found`);
    }
  } finally {
    disk?.unmount();
    await rm(folder, { recursive: true, force: true });
  }
  return { numbers, violations };
}

async function sticking({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const numbers: Record<string, string> = {};
  const violations: string[] = [];
  const world = await createReadersWorld();
  try {
    for (const [name, keys] of KEYS_OF_READERS) {
      const onProgress = (route: string) => onStatus(`${name}, ${route}`);
      const routes = quick ? (["listDecisions", "openapi.json"] as const) : undefined;
      const readings = await trialOfReaders(world, { readers: quick ? 100 : READERS, keys, onProgress, routes });
      for (const { route, statuses, grownMb, answerMs, revokeMs, violations: broken } of readings) {
        const replies = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
        numbers[`${name}, ${route}`] =
          `${replies.join(", ")}; ${grownMb} MB, answer ${answerMs} ms, revoke ${revokeMs} ms`;
        violations.push(...broken);
      }
    }
  } finally {
    await world.remove();
  }
  return { numbers, violations };
}

async function attacking({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const requests = quick ? 500 : 20_000;
  const numbers: Record<string, string | number> = { seed };
  async function attack(name: string, database: string): Promise<void> {
    onStatus(name);
    const world = await createWorld({ database });
    try {
      const { statuses } = await attackWithRequests(world, { requests, seed });
      const sorted = [...statuses].sort(([a], [b]) => a - b);
      numbers[name] = sorted.map(([status, count]) => `${status}: ${count}`).join(", ");
    } finally {
      await world.service.stop();
    }
  }
  await attack("SQLite", ":memory:");
  await onPostgres((database) => attack("PostgreSQL", database));
  return { numbers, violations: [] };
}

async function rolling({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const rounds = quick ? 1 : 10;
  const onProgress = (done: number) => onStatus(`${done} of ${rounds * REPLICAS} restarts`);
  const restarted = await onPostgres((database) =>
    restartRolling({ database, rounds, random: randomFrom(seed), onProgress }),
  );
  onStatus("without a drain");
  const undrained = await onPostgres((database) =>
    restartRolling({ database, rounds: 10, random: randomFrom(seed), drainMs: 0, endsAtFailure: true }),
  );
  const { failures, requests, restarts, longestMs, captured, heard, connections } = restarted;
  const sent = [...requests.values()].reduce((sum, count) => sum + count, 0);
  return {
    numbers: {
      seed,
      restarts,
      requests: `${sent} (${[...requests].map(([kind, count]) => `${kind} ${count}`).join(", ")})`,
      failed: failures.length,
      "longest request": `${Math.round(longestMs)} ms`,
      "captures heard of": `${heard} of ${captured}, over ${connections} connections`,
      "failed without a drain": `${undrained.failures.length}, in ${undrained.restarts} restarts`,
    },
    violations: [
      ...failures,
      ...(undrained.failures.length > 0 ? [] : ["Without a drain the trial found no failure."]),
    ],
  };
}

/**
 * How much longer another tenant's chats, and revokes, may take during a flood. Flood, clients and service share the
 * cores here, and a service that waits for a core is late whatever it does: those waits do not count.
 */
const MOST_TIMES_LONGER = { chat: 5, revoke: 2 } as const;

async function tenanting({ seed, quick, tenants = quick ? 100 : 20_000, onStatus }: TrialOptions): Promise<Outcome> {
  const rounds = quick ? 1 : 5;
  const size = quick
    ? { seconds: 5, forgets: 100, importBytes: 2e6 }
    : { seconds: 60 / rounds, forgets: 1_200, importBytes: 200e6 / rounds };
  const numbers: Record<string, string | number> = { seed };
  const violations: string[] = [];
  const floods = await flood({ samples: quick ? 50 : 100, rounds, size, onStatus });
  for (const [name, { unloaded, flooded, sentences }] of floods) {
    numbers[`flood of ${name}`] = sentences.join("; ");
    for (const kind of ["chat", "revoke"] as const) {
      const [before, during] = [unloaded[kind], flooded[kind]];
      const ratio = during.served / before.served;
      numbers[`  another's ${kind} during ${name}, p99`] =
        `${before.served.toFixed(1)} -> ${during.served.toFixed(1)} ms, ${ratio.toFixed(1)} times (with waits for a core ${before.whole.toFixed(0)} -> ${during.whole.toFixed(0)} ms)`;
      if (ratio > MOST_TIMES_LONGER[kind])
        violations.push(`another tenant's ${kind} takes ${ratio.toFixed(1)} times as long during ${name}`);
    }
    numbers[`  cores of the service during ${name}`] =
      `${unloaded.cores.toFixed(2)} -> ${flooded.cores.toFixed(2)}, ${unloaded.samples} and ${flooded.samples} samples`;
  }
  const served = await onPostgres((database) =>
    serveManyUsers({ database, tenants, random: randomFrom(seed), onStatus }),
  );
  return { numbers: { ...numbers, ...served.numbers }, violations: [...violations, ...served.violations] };
}

async function killingBehindProxies({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const rounds = quick ? 1 : 5;
  const numbers: Record<string, string> = {};
  const violations: string[] = [];
  for (const proxy of ["haproxy", "nginx"] as const) {
    const onProgress = (done: number) => onStatus(`${done} of ${rounds * REPLICAS} kills behind ${proxy}`);
    const sent = await onPostgres((database) => killBehindProxy({ proxy, database, rounds, onProgress }));
    for (const [method, report] of Object.entries(sent)) numbers[`${proxy}, ${method}`] = sentenceOfSent(report);
    if (sent.GET.failures.size > 0) violations.push(`${proxy}: ${sentenceOfSent(sent.GET)}`);
  }
  return { numbers, violations };
}

async function streaming({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  return streamThroughNginx({ idleMs: quick ? 0 : NGINX_IDLE_MS, onStatus });
}

async function killing({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const [onSqlite, onPostgres] = quick ? [6, 4] : [300, 200];
  const killed: [name: string, KillReport][] = [];
  for (const [database, wanted] of [
    ["sqlite", onSqlite],
    ["postgres", onPostgres],
  ] as const) {
    const onProgress = (done: number) => onStatus(`${done} of ${wanted} kills on ${database}`);
    killed.push([database, await killRepeatedly({ database, kills: wanted, seed, onProgress })]);
  }
  return {
    numbers: { seed, ...Object.fromEntries(killed.flatMap(([name, each]) => numbersOf(name, each))) },
    violations: killed.flatMap(([, { violations, folder }]) => violations.map((each) => `${each} (left in ${folder})`)),
  };
}

async function forgetting({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const memories = quick ? 6_000 : 100_000;
  const numbers: Record<string, string | number> = { memories };
  const violations: string[] = [];
  for (const database of ["sqlite", "postgres"] as const) {
    const onProgress = (done: number) => onStatus(`${done} of ${memories} on ${database}`);
    const report = await forgetMany({ database, memories, onProgress });
    numbers[database] =
      `${report.before} forgotten before the kill, ${report.after} after it in ${report.seconds.toFixed(1)} s`;
    violations.push(...report.violations.map((each) => `${database}: ${each}`));
  }
  return { numbers, violations };
}

async function visiting({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const policies = somePolicies(quick ? 8 : ALL_POLICIES);
  const numbers: Record<string, string | number> = { policies: policies.length };
  const violations: string[] = [];
  for (const [name, entryPoint] of entryPoints) {
    const onProgress = (done: number) => onStatus(`${name}: ${done} of ${policies.length} policies`);
    const report = await checkEntryPoint(entryPoint, { policies, onProgress });
    numbers[name] = `${report.compared} outcomes compared`;
    violations.push(...report.violations.map((each) => `${name}: ${each}`));
  }
  return { numbers, violations };
}

/** Whatever a test tries less often in `npm test` than it could: `runs` in test/support. */
async function generating({ seed, quick, onStatus }: TrialOptions): Promise<Outcome> {
  const filter = quick ? ["test/core/index-snapshot.test.ts"] : ["--project", "shared"];
  const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
  const env = { ...process.env, ...EVERYTHING, TEST_SEED: String(seed) };
  const child = spawn(process.execPath, [vitest, "run", "--reporter=dot", ...filter], { env, stdio: "pipe" });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => {
      printed += piece;
      onStatus(`${printed.length} characters of Vitest's report`);
    });
  const [code] = await once(child, "close");
  const [tests = "no tests"] = /Tests .*/.exec(stripVTControlCharacters(printed)) ?? [];
  return { numbers: { seed, tests }, violations: code === 0 ? [] : [stripVTControlCharacters(printed)] };
}

async function operating({ quick, onStatus }: TrialOptions): Promise<Outcome> {
  const size = quick
    ? { answers: 2_000, seconds: 10, keptSeconds: 5 }
    : { answers: 30_000, seconds: 570, keptSeconds: 60 };
  return operateUnderLoad({ ...size, askers: 4, onStatus });
}

function numbersOf(name: string, killed: KillReport): [string, string][] {
  const { kills, whileStarting, ofServer, checks, finished, asked, acknowledged, problems } = killed;
  const counts = Object.entries(asked).map(
    ([kind, count]) => `${kind} ${acknowledged[kind as keyof typeof asked]}/${count}`,
  );
  return [
    [`${name}, kills`, `${kills} (${whileStarting} while starting, ${ofServer} of the database server)`],
    [`${name}, acknowledged/asked`, counts.join(", ")],
    [`${name}, after a restart`, `${checks} checks, ${finished} anchors finished`],
    [`${name}, refused`, [...problems].map(([code, count]) => `${code} ${count}`).join(", ") || "nothing"],
  ];
}

async function onPostgres<T>(job: (database: string, server: PostgresServer) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  try {
    return await job((await freshDatabase(server.url)).url, server);
  } finally {
    await server.stop();
  }
}
