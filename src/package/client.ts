// `portcullis/client`: the typed client, for browsers and Node. It depends on no other package.
import { type Client, type ClientOptions, createClient as createPlainClient } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";

const RETRIES = 2;
/** A model may take a minute, and an answer is made again when the policy changes. */
const TIMEOUT_MS = 120_000;

/**
 * Makes a client of one service. A request is sent up to three times when that is safe, and a call ends after two
 * minutes, unless the options say otherwise.
 */
export function createClient({ retries = RETRIES, timeoutMs = TIMEOUT_MS, ...options }: ClientOptions = {}): Client {
  return createPlainClient({ ...options, retries, timeoutMs });
}

/** A `Listing` is a list in pages, with `all()` and `pages()`. */
export type { AnswerOptions, Client, ClientOptions, Listing } from "#contract/client/client.ts";
export type { FeedEvent, FeedOptions } from "#contract/client/event-feed.ts";
/** What an import takes, and its result for one line. */
export type { Importable, ImportReply } from "#contract/client/imports.ts";
/** The error is thrown when the service gave no answer: `unreachable`, `timeout`, `broken-off` or `too-large`. */
export { ConnectionError, type ConnectionFault } from "#contract/client/read-reply.ts";
export type { CallOptions } from "#contract/client/send-request.ts";
/** Thrown when the service answers with a problem (RFC 9457). `isProblem(error, "forbidden")` tells which. */
export { isProblem, type Problem, type ProblemCode, ProblemError } from "#contract/problem.ts";
/** What a route takes and gives, by the name of its function: `Reply<"chat">`. A streamed answer begins with a `GateEvent`. */
export type { Body, GateEvent, Params, Query, Reply } from "#contract/routes.ts";

/** A memory on record. */
export type Memory = Reply<"getMemory">["memory"];
/** A memory that the gate gave for a question, with its score and the reason. */
export type RecalledMemory = Reply<"recall">["memories"][number];
/** What an answer was made of. */
export type Receipt = Reply<"chat">["receipt"];
/** Agent id, then namespace, then allowed or revoked. */
export type Policy = Reply<"getPolicy">["policy"];
