// Whether what was written has left our hands. A response buffers what a slow client does not take, and sends it later:
// what has passed a fence must not lie there when the fence is left.
import type { ServerResponse } from "node:http";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";

/** Behind a real server there is one; behind `app.request` in a test there is none. */
export type Outgoing = ServerResponse | undefined;

const LOOK_MS = 2;
/** A client that takes nothing holds a fence no longer than this. Then it is cut off, and what it did not take is gone. */
const PATIENCE_MS = 1_000;
/** Before a fence nobody else waits for it. But it keeps an attempt, and is looked at, so not for ever either. */
const IDLE_MS = 60_000;
const LONGEST_LOOK_MS = 250;

/** Ends when the answers to earlier requests on the same connection are out: until then ours would wait behind them. */
export async function itsTurn(outgoing: Outgoing): Promise<void> {
  if (outgoing === undefined || outgoing.socket !== null || outgoing.destroyed) return;
  await new Promise<void>((resolve) => {
    outgoing.once("socket", () => resolve()).once("close", resolve);
  });
}

/** Ends when nothing waits to be taken: it was, or the client took so long that it is cut off. */
export async function taken(outgoing: Outgoing): Promise<void> {
  const deadline = performance.now() + IDLE_MS;
  // The longer it takes, the more seldom it is looked at: many who read slowly must not cost much.
  for (let ms = LOOK_MS; isWaiting(outgoing); ms = Math.min(ms * 2, LONGEST_LOOK_MS)) {
    if (performance.now() > deadline) outgoing?.destroy();
    else await delay(ms);
  }
}

/**
 * Ends when the operating system has all that was written so far. Between what is given to the framework and its write
 * stand promises alone, which are all settled before the event loop goes on.
 */
export async function written(outgoing: Outgoing): Promise<void> {
  await turn();
  const deadline = performance.now() + PATIENCE_MS;
  while (isWaiting(outgoing) && performance.now() < deadline) await delay(LOOK_MS);
  if (isWaiting(outgoing)) outgoing?.destroy();
}

/** Ends when the whole response is with the operating system. */
export async function sent(outgoing: Outgoing): Promise<void> {
  if (outgoing === undefined) return turn();
  if (outgoing.destroyed || outgoing.writableFinished) return;
  await new Promise<void>((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      outgoing.destroy();
      resolve();
    }, PATIENCE_MS);
    outgoing.once("close", settle).once("finish", settle);
  });
}

const isWaiting = (outgoing: Outgoing): boolean =>
  outgoing !== undefined && !outgoing.destroyed && outgoing.writableLength > 0;
