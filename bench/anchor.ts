// Group commit on the ledger: many anchors at once beside the same one after another, and the time of a verification.

import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { createLocalSui } from "#adapters/ledger/local/local-sui.ts";
import { suiLedger } from "#adapters/ledger/sui/sui-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { RECALL_LIMIT } from "#core/gate/gate.ts";
import { OPEN } from "#core/identity/principal.ts";
import { anchorOnChain } from "#service/anchoring/anchor.ts";
import type { Answered } from "#service/answers/answered.ts";
import { chat } from "#service/answers/chat.ts";
import { reset } from "#service/operations/reset.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked } from "#test/support/asked.ts";
import { withFinality } from "#test/support/finality.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import type { Benchmark, Progress } from "./support/benchmark.ts";
import { quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROUNDS = 3;
const AT_ONCE = 500;
/** One after another takes half a second each, so only this many are measured. */
const ONE_BY_ONE = 20;
const FINALITY_MS = 400;
const VERIFICATIONS = 200;

export const anchor: Benchmark = {
  title: `${AT_ONCE} anchors at once, ${FINALITY_MS} ms to finality, beside the same one after another`,

  async run(progress) {
    const rounds: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) rounds.push(await measure(progress, `round ${round} of ${ROUNDS}`));
    const of = (value: (round: Round) => number) => rounds.map(value);
    return {
      figures: [
        { id: "at-once", what: "anchors at once", unit: "requests/s", rounds: of(({ atOnce }) => atOnce) },
        { id: "one-by-one", what: "one after another", unit: "requests/s", rounds: of(({ oneByOne }) => oneByOne) },
        {
          id: "times",
          what: "times the throughput",
          rounds: of(({ atOnce, oneByOne }) => atOnce / oneByOne),
          aim: { atLeast: 100 },
        },
        {
          id: "transactions",
          what: "transactions",
          rounds: of(({ transactions }) => transactions),
          aim: { under: 4.5 },
        },
        {
          id: "verify-p50",
          what: "verification p50",
          unit: "ms",
          rounds: of(({ verifyP50 }) => verifyP50),
          aim: { under: 20 },
        },
        { id: "verify-p95", what: "verification p95", unit: "ms", rounds: of(({ verifyP95 }) => verifyP95) },
      ],
      notes: [
        `One after another was measured on ${ONE_BY_ONE}. A verification has ${RECALL_LIMIT} memories and no network.`,
      ],
    };
  },
};

interface Round {
  readonly atOnce: number;
  readonly oneByOne: number;
  readonly transactions: number;
  readonly verifyP50: number;
  readonly verifyP95: number;
}

async function measure(progress: Progress, round: string): Promise<Round> {
  const { tenant, executed, close } = await prepare();
  try {
    progress(`anchor: ${round}, one after another`);
    const first = await answers(tenant, ONE_BY_ONE);
    const slow = await secondsOf(async () => {
      for (const { receipt } of first) await anchorOnChain(tenant, { receipt }, { principal: OPEN });
    });
    progress(`anchor: ${round}, at once`);
    const many = await answers(tenant, AT_ONCE);
    const before = await executed();
    const fast = await secondsOf(() =>
      Promise.all(many.map(({ receipt }) => anchorOnChain(tenant, { receipt }, { principal: OPEN }))),
    );
    const transactions = (await executed()) - before;
    progress(`anchor: ${round}, verifying`);
    const times = await verificationTimes(tenant, first[0] as Answered);
    return {
      atOnce: AT_ONCE / fast,
      oneByOne: ONE_BY_ONE / slow,
      transactions,
      verifyP50: quantile(times, 0.5),
      verifyP95: quantile(times, 0.95),
    };
  } finally {
    await close();
  }
}

/** The service's parts with a durable database and a ledger with realistic finality. */
async function prepare() {
  const records = sqliteRecords({ path: `${createTemporaryFolder()}/anchor.db` });
  const signer = Ed25519Keypair.generate();
  const log = memoryLog();
  const client = withFinality(await createLocalSui({ log, owner: signer.toSuiAddress() }), FINALITY_MS);
  const { packageId, gateId } = client;
  const explorerUrl = (digest: string) => digest;
  const ledger = suiLedger({
    isPolicyPrivate: true,
    network: "local",
    client,
    signer,
    packageId,
    gateId,
    records,
    signingKeys: records.signingKeys.list,
    explorerUrl,
  });
  const tenant = await composeParts(readConfig({}), { records, blobs: memoryBlobs(), ledger });
  await reset(tenant, "bench");
  return {
    tenant,
    executed: async () => log.entries.length,
    async close() {
      await ledger.close();
      await records.close();
    },
  };
}

function answers(tenant: Tenant, count: number): Promise<Answered[]> {
  const query = (i: number) => `What about dinner on day ${i}?`;
  const ask = (_: unknown, i: number) =>
    asked((caller) => chat(tenant, { agentId: "assistant", query: query(i) }, caller));
  return Promise.all(Array.from({ length: count }, ask));
}

async function verificationTimes(tenant: Tenant, { receipt }: Answered): Promise<number[]> {
  const { receiptId } = await anchorOnChain(tenant, { receipt }, { principal: OPEN });
  const times: number[] = [];
  for (let i = 0; i < VERIFICATIONS; i++) {
    const began = performance.now();
    const { verdict } = await tenant.verifier.verify(receiptId);
    times.push(performance.now() - began);
    if (verdict !== "verified") throw new Error(`The receipt that was just anchored is ${verdict}.`);
  }
  return times.slice(VERIFICATIONS / 10); // Without the first ones, which include compilation.
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
