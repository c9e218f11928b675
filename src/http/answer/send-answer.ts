// Sends answers and events. Each write happens behind a fence and is waited for there, so a client that does not read could
// hold up a policy change. A deadline bounds that. An answer is JSON in one piece, or server-sent events while it is made.
//
// Events: `gate` with what the gate decided, before the model is asked; a `token` for each piece; and at the end one
// `answer` with what the JSON reply holds. `restart` voids all so far: the policy changed, and the answer is made again.
// The stream begins as soon as the request is found to be good: what fails before that is an ordinary problem, what fails
// later a `problem` event. Comments at fixed times keep proxies from giving up on a model that thinks for long.
import { NEVER_ABORTS, orAfter } from "#async/with-deadline.ts";
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import type { Exchange } from "#http/exchange.ts";
import { wants } from "#http/request/read-input.ts";
import type { Caller } from "#service/answers/caller.ts";
import type { EventSink } from "#service/events/deliver-events.ts";
import { jsonReply } from "./reply.ts";
import type { ResponseWriter } from "./response-writer.ts";

const BEAT_MS = 15_000;

export interface AnswerSink extends Caller {
  /** The request is good. From now on a failure is an event, if the caller wants events. */
  begin(): void;
}

export async function sendAnswer(exchange: Exchange, answer: (sink: AnswerSink) => Promise<void>): Promise<void> {
  if (!exchange.isEvents && !wants(exchange.request, EVENT_STREAM_TYPE)) {
    return sendReleased(exchange, (caller) => answer({ ...caller, begin: () => undefined }));
  }
  await exchange.response.turn();
  return sendEvents(exchange, answer);
}

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
  const sendBehindFence = (events: string, lost: AbortSignal) => takenBehindFence(response, lost, () => write(events));

  const sink: AnswerSink = {
    signal,
    begin() {
      beat();
      beating = setInterval(beat, BEAT_MS).unref();
    },
    listener: {
      ready: () => lastWrite,
      gate: (report, lost) => sendBehindFence(event("gate", report), lost),
      write: (pieces, lost) => sendBehindFence(pieces.map((text) => event("token", { text })).join(""), lost),
      restart: () => write(event("restart", {})),
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
    if (isTold) await write(event("problem", reportFailure(error)));
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
const event = (name: "gate" | "token" | "restart" | "answer" | "problem", data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A client that takes nothing holds a fence this long at most. */
const FENCE_DEADLINE_MS = 1_000;

// Resolves when the client has taken what `write` writes. Cuts the connection when that takes too long, and when `lost`
// aborts: the lock of the fence is lost, or a change of the policy waits. Then it throws the signal's reason.
export async function takenBehindFence(
  response: ResponseWriter,
  lost: AbortSignal,
  write: () => Promise<void>,
  deadlineMs = FENCE_DEADLINE_MS,
): Promise<void> {
  lost.throwIfAborted();
  lost.addEventListener("abort", response.cut, { once: true });
  try {
    if ((await orAfter(deadlineMs, write(), "late")) === "late") response.cut();
    lost.throwIfAborted();
  } finally {
    lost.removeEventListener("abort", response.cut);
  }
}

// Sends events to a listener as server-sent events. A listener that does not read is cut: it comes back with the id of
// its last event.

/** Sends what `deliver` gives. Ends the reply when it has ended. */
export async function sendEventFeed(
  { request, response }: Exchange,
  deliver: (sink: EventSink, lastEventId: string | undefined) => Promise<void>,
): Promise<void> {
  await response.turn();
  // The head says all that a HEAD asks for.
  if (request.method === "HEAD") return response.begin(EVENT_STREAM_TYPE);
  // Events may leave behind a fence, and no more than one write is ever under way.
  const write = (text: string, lost: AbortSignal) =>
    takenBehindFence(response, lost, () => {
      if (!response.hasBegun()) response.begin(EVENT_STREAM_TYPE, { flush: true });
      return response.write(text);
    });
  const lastEventId = request.headers.get("last-event-id") ?? undefined;
  await deliver(
    {
      signal: response.signal(),
      send: (events, lost) =>
        write(
          events.map(({ id, name, data }) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
          lost,
        ),
      // Without data it is no event, and a client only takes the id.
      beat: (id) => write(`: beat\nid: ${id}\n\n`, NEVER_ABORTS),
    },
    lastEventId === "" ? undefined : lastEventId,
  );
  if (response.hasBegun()) response.end();
}
