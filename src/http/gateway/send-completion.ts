// Sends a completion in OpenAI's shape: JSON, or server-sent events without names that end with `[DONE]`. Each write happens
// behind the fence. A stream that has begun cannot begin again: when the policy changes under it, it ends with an error.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { type Problem, sentenceOf } from "#contract/problem.ts";
import { orUndefined } from "#core/defined.ts";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import { PortcullisError } from "#core/errors.ts";
import { type CompletionRequest, questionIn, turnsBefore } from "#core/prompt/gateway-request.ts";
import { lastTurns, type Turn } from "#core/recall/conversation.ts";
import { type HttpReply, jsonReply, withHeaders } from "#http/answer/reply.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";
import type { ForwardedAnswer } from "#service/answers/answered.ts";
import { policyChanged } from "#service/answers/attempts/attempt.ts";
import type { Caller } from "#service/answers/caller.ts";

export const COMPLETIONS_PATH = "/v1/chat/completions";
export const MODELS_PATH = "/v1/models";

/** What to recall, percent-encoded, in place of the last message of the user. */
const QUERY_HEADER = "portcullis-query";
/** `true`: nothing of a stream is sent before its end, so that no change of the policy can cut it. */
const BUFFER_HEADER = "portcullis-buffer";
/** In the reply: the id of the receipt. */
const RECEIPT_HEADER = "portcullis-receipt";

export interface CompletionSink {
  /** What to recall. */
  questionOf(request: CompletionRequest): { readonly query: string; readonly messages: readonly Turn[] };
  onReceipt(answerId: string): void;
  callerFor(request: CompletionRequest): Caller<ForwardedAnswer>;
}

export async function sendCompletion(
  exchange: Exchange,
  handle: (sink: CompletionSink) => Promise<void>,
): Promise<void> {
  const { request, response, reportFailure } = exchange;
  await response.turn();
  let lastWrite = Promise.resolve();
  const write = (text: string) => {
    if (!response.hasBegun()) response.begin(EVENT_STREAM_TYPE);
    lastWrite = response.write(text);
    return lastWrite;
  };
  const behindFence = (text: string, lost: AbortSignal) => takenBehindFence(response, lost, () => write(text));
  const isBuffered = request.headers.get(BUFFER_HEADER) === "true";
  const signal = response.signal();

  const json: Caller<ForwardedAnswer> = {
    signal,
    release: ({ chunks }, lost) => takenBehindFence(response, lost, () => response.send(jsonReply(chunks.at(-1)))),
  };
  const stream: Caller<ForwardedAnswer> = {
    signal,
    release: ({ chunks }, lost) =>
      behindFence([...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map(data).join(""), lost),
    ...(!isBuffered && {
      listener: {
        ready: () => lastWrite,
        gate: () => undefined,
        write: (pieces, lost) => behindFence(pieces.map(data).join(""), lost),
        restart() {
          throw policyChanged();
        },
      },
    }),
  };
  const sink: CompletionSink = {
    questionOf(asked) {
      const named = namedQuery(request);
      if (named !== undefined) return { query: named, messages: [] };
      const query = questionIn(asked);
      return { query, messages: lastTurns(turnsBefore(asked), query) };
    },
    onReceipt: (answerId) => response.addHeaders({ [RECEIPT_HEADER]: answerId }),
    callerFor: (asked) => (asked.stream === true ? stream : json),
  };
  try {
    await handle(sink);
  } catch (error) {
    if (!response.hasBegun() || signal.aborted) throw error;
    await write(data(JSON.stringify(openAiError(reportFailure(error)))));
    response.end();
    return;
  }
  if (response.hasBegun() && !response.isClosed()) response.end();
}

const data = (json: string): string => `data: ${json}\n\n`;

function namedQuery({ headers }: Request): string | undefined {
  const given = headers.get(QUERY_HEADER);
  if (given === null) return undefined;
  const query = orUndefined(() => decodeURIComponent(given));
  if (query !== undefined && textFault(query, LIMITS.query) === undefined) return query;
  throw new PortcullisError(
    "invalid-request",
    `The header Portcullis-Query must be a text of at most ${LIMITS.query} characters without control characters, percent-encoded.`,
  );
}

/** OpenAI's names for kinds of errors. */
function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}

/** A problem in OpenAI's shape, with our code. */
function openAiError(problem: Problem) {
  const { status, code, errors: [first] = [], requestId } = problem;
  const param = (first?.pointer?.slice(2) ?? first?.parameter ?? null) || null;
  return { error: { message: sentenceOf(problem), type: typeOf(status), param, code, requestId } };
}

/** The same reply with its problem in OpenAI's shape. */
export const asOpenAiError = (reply: HttpReply, problem: Problem): HttpReply =>
  withHeaders({ ...reply, body: JSON.stringify(openAiError(problem)) }, { "content-type": "application/json" });
