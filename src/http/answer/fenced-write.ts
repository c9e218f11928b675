// Writes behind a fence are waited for there, so a client that does not read could hold up a change of the policy. This
// bounds how long.
import { orAfter } from "#async/with-deadline.ts";
import type { ResponseWriter } from "./response-writer.ts";

/** A client that takes nothing holds a fence this long at most. */
export const FENCE_DEADLINE_MS = 1_000;

export function takenBehindFence(response: ResponseWriter, written: Promise<void>): Promise<void> {
  return takenWithin(FENCE_DEADLINE_MS, response, written);
}

/** Resolves when the client has taken what was written. Cuts the connection when that takes longer than `ms`. */
export async function takenWithin(ms: number, response: ResponseWriter, written: Promise<void>): Promise<void> {
  if ((await orAfter(ms, written, "late")) !== "late") return;
  response.destroy();
  // Until the connection is closed, the client does not count as gone.
  await written;
}
