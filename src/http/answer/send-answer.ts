// Sends an answer: as JSON in one piece, or as server-sent events while it is made. Each write happens behind a fence and
// is waited for there, so a client that does not read could hold up a policy change. Deadlines bound that.
//
// Events: `gate` with what the gate decided, before the model is asked; a `token` for each piece; and at the end one
// `answer` with what the JSON reply holds. `restart` voids all so far: the policy changed, and the answer is made again.
// The stream begins as soon as the request is found to be good: what fails before that is an ordinary problem, what fails
// later a `problem` event. Comments at fixed times keep proxies from giving up on a model that thinks for long.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import type { Exchange } from "#http/exchange.ts";
import { wantsEvents } from "#http/request/accept-header.ts";
import type { Caller } from "#service/answers/caller.ts";
import { takenBehindFence, takenWithin } from "./fenced-write.ts";
import { jsonReply } from "./reply.ts";

/** Outside a fence nobody waits for a slow client. It still holds an attempt, so this is bounded, too. */
const SLOW_CLIENT_DEADLINE_MS = 60_000;

const BEAT_MS = 15_000;

/** A caller over HTTP. */
export interface AnswerSink extends Caller {
  /** The request is good. From now on a failure is an event, if the caller wants events. */
  begin(): void;
}

export async function sendAnswer(exchange: Exchange, answer: (sink: AnswerSink) => Promise<void>): Promise<void> {
  if (!wantsEvents(exchange.request)) {
    return sendReleased(exchange, (caller) => answer({ ...caller, begin: () => undefined }));
  }
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

async function sendEvents({ response, reportFailure }: Exchange, answer: (sink: AnswerSink) => Promise<void>) {
  const signal = response.signal();
  let lastWrite = Promise.resolve();
  let writes = 0;
  let isAnswered = false;
  let beating: NodeJS.Timeout | undefined;

  function write(text: string): Promise<void> {
    if (!response.hasBegun()) response.begin(EVENT_STREAM_TYPE);
    writes += 1;
    lastWrite = response.write(text).finally(() => {
      writes -= 1;
    });
    return lastWrite;
  }
  /** Says that the stream is alive, unless the client has yet to take what was written. */
  const beat = () => void (writes === 0 && write(COMMENT));
  const send = (events: string) => takenWithin(SLOW_CLIENT_DEADLINE_MS, response, write(events));
  const sendBehindFence = (events: string, lost: AbortSignal) => takenBehindFence(response, lost, () => write(events));

  const sink: AnswerSink = {
    signal,
    begin() {
      beat();
      beating = setInterval(beat, BEAT_MS).unref();
    },
    listener: {
      ready: () => takenWithin(SLOW_CLIENT_DEADLINE_MS, response, lastWrite),
      gate: (report, lost) => sendBehindFence(event("gate", report), lost),
      write: (pieces, lost) => sendBehindFence(pieces.map((text) => event("token", { text })).join(""), lost),
      restart: () => send(event("restart", {})),
    },
    async release(answered, lost) {
      await sendBehindFence(event("answer", answered), lost);
      isAnswered = true;
    },
  };
  try {
    await answer(sink);
  } catch (error) {
    // After the answer, a failure concerns us and not the caller.
    const isTold = response.hasBegun() && !signal.aborted && !isAnswered;
    if (isTold) await send(event("problem", reportFailure(error)));
    if (response.hasBegun()) response.end();
    throw error;
  } finally {
    clearInterval(beating);
  }
  response.end();
}

/** A line that parsers of event streams skip. */
const COMMENT = ": \n\n";

/** JSON has no line ends, so one `data` line is enough. */
function event(name: "gate" | "token" | "restart" | "answer" | "problem", data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
