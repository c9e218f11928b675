// What a reply means. Nothing that a peer wrote is quoted, since it may echo the credentials it was shown: of its
// reasons, only those that Walrus is known to give are named.
import { z } from "zod";
import { PortcullisError } from "#core/errors.ts";
import type { StoredBlob } from "#ports.ts";
import type { Reply } from "./exchange.ts";

export type Verdict<T> =
  | { readonly kind: "has"; readonly value: T }
  | { readonly kind: "has-none" }
  | { readonly kind: "failed"; readonly error: PortcullisError }
  /** It may well succeed a little later. */
  | { readonly kind: "again"; readonly error: PortcullisError; readonly retryAfterMs?: number };

export const BLOB_ID = /^[\w-]{43}$/;

const endEpoch = z.int().nonnegative().optional().catch(undefined);
const objectId = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .optional()
  .catch(undefined);
const blobId = z.string().regex(BLOB_ID);

// Without an end or an object, a blob is a blob all the same; without an id it is none.
const storeAnswer = z.object({
  newlyCreated: z
    .object({
      blobObject: z.object({ blobId, id: objectId, storage: z.object({ endEpoch }).optional().catch(undefined) }),
    })
    .optional(),
  // With an `event` in place of `object`, there is no object to remember.
  alreadyCertified: z.object({ blobId, object: objectId, endEpoch }).optional(),
  // Walrus reports some failures with status 200.
  error: z.undefined().optional(),
});

function storedBlobOf(body: Uint8Array): StoredBlob | undefined {
  const { data: { newlyCreated, alreadyCertified } = {} } = storeAnswer.safeParse(parseJson(body));
  if (newlyCreated !== undefined) {
    const { blobId, id, storage } = newlyCreated.blobObject;
    return storedBlob(blobId, storage?.endEpoch, id);
  }
  return alreadyCertified && storedBlob(alreadyCertified.blobId, alreadyCertified.endEpoch, alreadyCertified.object);
}

function storedBlob(blobId: string, endEpoch: number | undefined, objectId: string | undefined): StoredBlob {
  return { blobId, ...(endEpoch !== undefined && { endEpoch }), ...(objectId !== undefined && { objectId }) };
}

/**
 * Of a store. The id is the publisher's word: deriving Walrus's own from the bytes takes seconds of CPU, so a publisher
 * that lies about it is found out by whoever reads the blob and compares, and by the verifier when asked to go deep.
 */
export function storeVerdict(reply: Reply): Verdict<StoredBlob> {
  const verdict = replyVerdict<StoredBlob>("publisher", reply, (body) => {
    const value = storedBlobOf(body);
    if (value !== undefined) return { kind: "has", value };
    return failed("The publisher answered with success but with an error or without a blob id. Try again later.");
  });
  // What is certified is paid for: storing it again would pay again, so whoever asked decides.
  if (verdict.kind === "again" && saysCertified(reply)) return { kind: "failed", error: verdict.error };
  return verdict;
}

/** Of a read. Whether the bytes are the right ones, the caller can tell and we cannot. */
export function readVerdict(reply: Reply): Verdict<Uint8Array> {
  if (reply.kind === "answered" && reply.status === 404) return { kind: "has-none" };
  return replyVerdict("aggregator", reply, (value) => ({ kind: "has", value }));
}

type Role = "publisher" | "aggregator";

function replyVerdict<T>(role: Role, reply: Reply, good: (body: Uint8Array) => Verdict<T>): Verdict<T> {
  switch (reply.kind) {
    case "unreached": {
      const { isReset, cause } = reply;
      return isReset
        ? again(`The ${role} closed the connection. Try again later.`, { cause })
        : failed(`The ${role} cannot be reached. Check its URL, or try again later.`, { cause });
    }
    case "cut":
      return again(`The ${role} closed the connection within its answer. Try again later.`, { cause: reply.cause });
    case "too-long":
      return failed(`The ${role} answered with more than is read of an answer.`);
    case "answered":
      return reply.status >= 200 && reply.status < 300 ? good(reply.body) : refusalVerdict(role, reply);
  }
}

function refusalVerdict(role: Role, reply: Extract<Reply, { kind: "answered" }>): Verdict<never> {
  const { status, body, retryAfterMs } = reply;
  const reason = reasonOf(body);
  const said = reason === undefined ? status : `${status} ${reason}`;
  const wait = { ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (status === 429) return again(`The ${role} is overloaded (${said}). Try again later.`, wait);
  if (status >= 500) return again(`The ${role} failed (${said}). Try again later.`, wait);
  if (status < 400) return failed(`The ${role} answered with a redirect, which is not followed. Set its final URL.`);
  if (status === 413 || reason === "BLOB_TOO_LARGE") return failed(`The blob is too large for the ${role} (${said}).`);
  if (status === 401 || status === 403) return failed(`The ${role} wants other credentials or none of ours (${said}).`);
  if (status === 451) return failed(`The ${role} may not serve this blob (${said}).`);
  return failed(`The ${role} refused the request (${said}).`);
}

function again(message: string, rest: { cause?: Error; retryAfterMs?: number }): Verdict<never> {
  const { retryAfterMs, cause } = rest;
  const error = new PortcullisError("blob-store-failed", message, { cause });
  return { kind: "again", error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function failed(message: string, { cause }: { cause?: Error } = {}): Verdict<never> {
  return { kind: "failed", error: new PortcullisError("blob-store-failed", message, { cause }) };
}

function saysCertified(reply: Reply): boolean {
  return "body" in reply && /"(?:newlyCreated|alreadyCertified)"/.test(Buffer.from(reply.body).toString());
}

const errorAnswer = z.object({ error: z.object({ details: z.array(z.object({ reason: z.unknown() })) }) });

const REASONS: readonly unknown[] = [
  "MALFORMED_REQUEST",
  "BLOB_TOO_LARGE",
  "BLOB_NOT_FOUND",
  "FORBIDDEN_BLOB",
  "BLOB_UNAVAILABLE",
  "INSUFFICIENT_CONFIRMATIONS",
];

function reasonOf(body: Uint8Array): string | undefined {
  const { data } = errorAnswer.safeParse(parseJson(body));
  return data?.error.details.map(({ reason }) => reason).find((reason) => REASONS.includes(reason)) as
    | string
    | undefined;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}
