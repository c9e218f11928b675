// Writes behind a fence are waited for there, so a client that does not read could hold up a change of the policy. This
// bounds how long.
import { orAfter } from "#async/with-deadline.ts";
import type { ResponseWriter } from "./response-writer.ts";

/** A client that takes nothing holds a fence this long at most. */
const FENCE_DEADLINE_MS = 1_000;

/**
 * Runs `write`, and resolves when the client has taken the bytes. Cuts the connection when that takes too long, and when
 * `lost` aborts: the lock of the fence is lost, or a change of the policy waits. Then it throws the signal's reason.
 */
export async function takenBehindFence(
  response: ResponseWriter,
  lost: AbortSignal,
  write: () => Promise<void>,
  deadlineMs = FENCE_DEADLINE_MS,
): Promise<void> {
  lost.throwIfAborted();
  lost.addEventListener("abort", response.cut, { once: true });
  try {
    await takenWithin(deadlineMs, response, write());
    lost.throwIfAborted();
  } finally {
    lost.removeEventListener("abort", response.cut);
  }
}

/** Resolves when the client has taken what was written. Cuts the connection when that takes longer than `ms`. */
export async function takenWithin(ms: number, response: ResponseWriter, written: Promise<void>): Promise<void> {
  if ((await orAfter(ms, written, "late")) === "late") response.cut();
}
