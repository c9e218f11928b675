// Asks peers in their order, and after a pause again those that may do better later, all within one deadline.
import { PortcullisError } from "#core/errors.ts";
import { type Deadline, Late, type Sleep, within } from "./deadline.ts";
import type { Verdict } from "./verdict.ts";

export interface Tenacity {
  /** How often a peer is asked at most. */
  readonly tries: number;
  /** Before the second try; doubled before each further one. */
  readonly pauseMs: number;
  readonly random: () => number;
  readonly sleep: Sleep;
}

type Ask<P, T> = (peer: P, signal: AbortSignal) => Promise<Verdict<T>>;

/** Undefined when every peer said that it has none. One that did not say might have it, so then this rejects. */
export async function persist<P, T>(
  peers: readonly P[],
  ask: Ask<P, T>,
  { tries, pauseMs, random, sleep }: Tenacity,
  deadline: Deadline,
): Promise<T | undefined> {
  const faults = new Map<P, PortcullisError>();
  let asking = peers;
  for (let round = 1; ; round += 1) {
    const waits = new Map<P, number>();
    for (const [place, peer] of asking.entries()) {
      const verdict = await askInShare(peer, ask, asking.length - place, deadline);
      if (verdict.kind === "has") return verdict.value;
      if (verdict.kind === "has-none") faults.delete(peer);
      else faults.set(peer, verdict.error);
      if (verdict.kind === "again") waits.set(peer, verdict.retryAfterMs ?? 0);
    }
    const [fault] = faults.values();
    if (fault === undefined) return undefined;
    if (waits.size === 0 || round === tries) throw fault;
    // The jitter is added to what was asked for, so that those who were sent away together do not come back together.
    const pause = Math.min(...waits.values()) + pauseMs * 2 ** (round - 1) * (0.5 + random() / 2);
    if (pause >= deadline.left()) throw fault;
    await sleep(pause, deadline.signal);
    asking = [...waits.keys()];
  }
}

/** One that hangs must not use up the time of those after it: each gets an equal share of what is left. */
async function askInShare<P, T>(peer: P, ask: Ask<P, T>, sharers: number, deadline: Deadline): Promise<Verdict<T>> {
  if (sharers === 1) return ask(peer, deadline.signal);
  try {
    return await within(deadline.left() / sharers, deadline.signal, ({ signal }) => ask(peer, signal));
  } catch (error) {
    if (deadline.signal.aborted || !(error instanceof Late)) throw error;
    const sentence = "One that was asked did not answer in its share of the time. Try again later.";
    return { kind: "failed", error: new PortcullisError("blob-store-failed", sentence, { cause: error }) };
  }
}
