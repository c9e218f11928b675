// Sends an answer: as JSON in one piece, or as server-sent events while it is made. Each write happens behind a fence and
// is waited for there, so a client that does not read could hold up a policy change. Deadlines bound that.
//
// Events: a `token` for each piece, and at the end one `answer` with what the JSON reply holds. `restart` voids the tokens
// so far: the policy changed, and the answer is made again. What fails before the first event is an ordinary problem,
// what fails later a `problem` event.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import type { Exchange } from "#http/exchange.ts";
import { wantsEvents } from "#http/request/accept-header.ts";
import type { Caller } from "#service/answers/caller.ts";
import { takenBehindFence, takenWithin } from "./fenced-write.ts";
import { jsonReply } from "./reply.ts";

/** Outside a fence nobody waits for a slow client. It still holds an attempt, so this is bounded, too. */
const SLOW_CLIENT_DEADLINE_MS = 60_000;

export async function sendAnswer(exchange: Exchange, answer: (caller: Caller) => Promise<void>): Promise<void> {
  if (!wantsEvents(exchange.request)) return sendReleased(exchange, answer);
  await exchange.response.turn();
  return sendEvents(exchange, answer);
}

/** Sends what is released to the caller as JSON. */
export async function sendReleased<A>(
  { response }: Exchange,
  answer: (caller: Caller<A>) => Promise<void>,
): Promise<void> {
  await response.turn();
  await answer({
    signal: response.signal(),
    release: (answered, lost) => takenBehindFence(response, lost, () => response.send(jsonReply(answered))),
  });
}

async function sendEvents({ response, reportFailure }: Exchange, answer: (caller: Caller) => Promise<void>) {
  const signal = response.signal();
  let lastWrite = Promise.resolve();

  function write(events: string): Promise<void> {
    if (!response.hasBegun()) response.begin(EVENT_STREAM_TYPE);
    lastWrite = response.write(events);
    return lastWrite;
  }
  const send = (events: string) => takenWithin(SLOW_CLIENT_DEADLINE_MS, response, write(events));
  const sendBehindFence = (events: string, lost: AbortSignal) => takenBehindFence(response, lost, () => write(events));

  const caller: Caller = {
    signal,
    listener: {
      ready: () => takenWithin(SLOW_CLIENT_DEADLINE_MS, response, lastWrite),
      write: (pieces, lost) => sendBehindFence(pieces.map((text) => event("token", { text })).join(""), lost),
      restart: () => send(event("restart", {})),
    },
    release: (answered, lost) => sendBehindFence(event("answer", answered), lost),
  };
  try {
    await answer(caller);
  } catch (error) {
    if (!response.hasBegun()) throw error;
    if (!signal.aborted) await send(event("problem", reportFailure(error)));
  }
  response.end();
}

/** JSON has no line ends, so one `data` line is enough. */
function event(name: "token" | "restart" | "answer" | "problem", data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
