import type { Deps } from "#service/deps.ts";
import { KEPT_MS } from "./idempotency.ts";

const STEP = 1_000;

/** Forgets the keys that are older than a day. Answers with how many there were. */
export async function sweepIdempotencyKeys({ records, now }: Pick<Deps, "records" | "now">): Promise<number> {
  const before = now().getTime() - KEPT_MS;
  let swept = 0;
  for (;;) {
    const step = await records.idempotency.sweep(before, STEP);
    swept += step;
    if (step < STEP) return swept;
  }
}
