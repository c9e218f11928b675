import type { Pool } from "pg";
import { expect, test } from "vitest";
import { sharedQuotas } from "./shared-quotas.ts";

const QUOTA = { name: "q", points: 100, seconds: 60 };
const BATCH = 5;

interface Query {
  readonly values: [key: string, points: number, expire: number, now: number];
}

/** A stand-in for the table: it does what the library's statement does. */
function table() {
  const rows = new Map<string, { points: number; expire: number }>();
  const stats = { statements: 0, answers: true };
  const pool = {
    async query({ values: [key, points, expire, now] }: Query) {
      stats.statements += 1;
      if (!stats.answers) return new Promise(() => undefined);
      const row = rows.get(key);
      const isOpen = row !== undefined && row.expire > now;
      const next = isOpen ? { points: row.points + points, expire: row.expire } : { points, expire };
      rows.set(key, next);
      return { rows: [next] };
    },
  } as unknown as Pool;
  return { pool, stats };
}

async function takeAll({ take }: ReturnType<typeof sharedQuotas>, count: number): Promise<number> {
  let granted = 0;
  for (let i = 0; i < count; i++) if ((await take(QUOTA, "ada")).isGranted) granted += 1;
  return granted;
}

test("points are reserved in batches, so that a request seldom costs a statement", async () => {
  const { pool, stats } = table();
  expect(await takeAll(sharedQuotas({ pool }), QUOTA.points)).toBe(QUOTA.points);
  expect(stats.statements).toBe(QUOTA.points / BATCH);
});

test("a caller whose points are used up costs no statement", async () => {
  const { pool, stats } = table();
  const quotas = sharedQuotas({ pool });
  await takeAll(quotas, QUOTA.points);
  const before = stats.statements;
  expect(await takeAll(quotas, 1_000)).toBe(0);
  expect(stats.statements).toBe(before);
});

test("two processes hand out no more than the quota, and lose at most their reserves", async () => {
  const { pool } = table();
  const [one, other] = [sharedQuotas({ pool }), sharedQuotas({ pool })];
  const fromOne = await takeAll(one, 7);
  const fromOther = await takeAll(other, 200);
  const rest = await takeAll(one, 200);
  expect(fromOne + fromOther + rest).toBe(QUOTA.points);
});

test("a quota that is no multiple of a batch is handed out to the last point", async () => {
  const { pool } = table();
  const quotas = sharedQuotas({ pool });
  const odd = { name: "odd", points: 103, seconds: 60 };
  const taken = await Promise.all(Array.from({ length: 200 }, () => quotas.take(odd, "ada")));
  expect(taken.filter(({ isGranted }) => isGranted)).toHaveLength(103);
});

test("while the database does not answer, the process counts for itself, asks seldom, and then goes on", async () => {
  const { pool, stats } = table();
  let clock = Date.now();
  const quotas = sharedQuotas({ pool, now: () => clock, deadlineMs: 10 });
  stats.answers = false;
  expect(await takeAll(quotas, QUOTA.points + 20)).toBe(QUOTA.points);
  expect(stats.statements).toBe(1);
  stats.answers = true;
  clock += 5_000;
  expect((await quotas.take(QUOTA, "ada")).isGranted).toBe(true);
  expect(stats.statements).toBe(2);
});
