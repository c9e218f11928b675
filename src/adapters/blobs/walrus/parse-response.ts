// Turns the HTTP replies of a publisher or an aggregator into results, and decides which failures may be retried.
// Errors quote nothing of the server but reasons that Walrus is known to give: it may echo the credentials that it was
// sent.
import { z } from "zod";
import { isBlobId } from "#core/blob-id.ts";
import { defined, orUndefined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";
import type { FetchedBytes, StoredBlob } from "#ports.ts";
import type { HttpReply } from "./http-exchange.ts";

export type Result<T> =
  | { readonly kind: "ok"; readonly value: T }
  /** A success that counts if no other endpoint gives a better one. */
  | { readonly kind: "poor"; readonly value: T }
  /** The server says that it does not have the blob. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: PortcullisError }
  /** A failure that may be over a little later. */
  | { readonly kind: "retry"; readonly error: PortcullisError; readonly retryAfterMs?: number | undefined };

const endEpoch = z.int().nonnegative().optional().catch(undefined);
const objectId = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .optional()
  .catch(undefined);
const blobId = z.string().refine(isBlobId);

// The end epoch and the object are optional. The blob id is not.
const storeAnswer = z.object({
  newlyCreated: z
    .object({
      blobObject: z.object({ blobId, id: objectId, storage: z.object({ endEpoch }).optional().catch(undefined) }),
    })
    .optional(),
  // Has either an `object` or an `event`. With an `event` there is no object id to record.
  alreadyCertified: z.object({ blobId, object: objectId, endEpoch }).optional(),
  // Walrus reports some failures with status 200.
  error: z.undefined().optional(),
});

function parseStoredBlob(body: Uint8Array): StoredBlob | undefined {
  const { data: { newlyCreated, alreadyCertified } = {} } = storeAnswer.safeParse(parseJson(body));
  if (newlyCreated !== undefined) {
    const { blobId, id: objectId, storage: { endEpoch } = {} } = newlyCreated.blobObject;
    return { blobId, ...defined({ endEpoch, objectId }) };
  }
  if (alreadyCertified === undefined) return undefined;
  const { blobId, object: objectId, endEpoch } = alreadyCertified;
  return { blobId, ...defined({ endEpoch, objectId }) };
}

/** The blob id is not checked: to derive it takes seconds of CPU. Whoever reads the blob compares its bytes. */
export function parseStoreResponse(reply: HttpReply): Result<StoredBlob> {
  const result = parseReply<StoredBlob>("publisher", reply, (body) => {
    const value = parseStoredBlob(body);
    if (value !== undefined) return { kind: "ok", value };
    return failed("The publisher answered with success but with an error or without a blob id. Try again later.");
  });
  // A certified blob is paid for, and a retry would pay again. So the caller decides about a retry.
  if (result.kind === "retry" && saysCertified(reply)) return { kind: "failed", error: result.error };
  return result;
}

/** The caller checks the bytes. A successful status means that the blob resolves, whatever its size. */
export function parseReadResponse(reply: HttpReply): Result<FetchedBytes> {
  if (reply.kind === "too-large" && isSuccess(reply.status)) return { kind: "poor", value: "too-large" };
  if (reply.kind === "complete" && isAbsent(reply)) return { kind: "absent" };
  return parseReply("aggregator", reply, (value) => ({ kind: "ok", value }));
}

/** To Walrus an id of another form is malformed: it has no such blob. */
const isAbsent = ({ status, body }: { readonly status: number; readonly body: Uint8Array }): boolean =>
  status === 404 || (status === 400 && parseReason(body) === "MALFORMED_REQUEST");

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

type Role = "publisher" | "aggregator";

function parseReply<T>(role: Role, reply: HttpReply, onSuccess: (body: Uint8Array) => Result<T>): Result<T> {
  switch (reply.kind) {
    case "unreachable":
      return reply.isReset
        ? retry(`The ${role} closed the connection. Try again later.`, reply)
        : failed(`The ${role} cannot be reached. Check its URL, or try again later.`, reply.cause);
    case "truncated":
      return retry(`The ${role} closed the connection before its answer was complete. Try again later.`, reply);
    case "too-large":
      return failed(`The ${role}'s answer is larger than the limit.`);
    case "complete":
      return isSuccess(reply.status) ? onSuccess(reply.body) : parseErrorStatus(role, reply);
  }
}

function parseErrorStatus(role: Role, reply: Extract<HttpReply, { kind: "complete" }>): Result<never> {
  const { status, body, retryAfterMs } = reply;
  const reason = parseReason(body);
  const shown = reason === undefined ? status : `${status} ${reason}`;
  if (status === 429) return retry(`The ${role} is overloaded (${shown}). Try again later.`, { retryAfterMs });
  if (status >= 500) return retry(`The ${role} failed (${shown}). Try again later.`, { retryAfterMs });
  if (status < 400) return failed(`The ${role} answered with a redirect, which is not followed. Set its final URL.`);
  if (status === 413 || reason === "BLOB_TOO_LARGE") return failed(`The blob is too large for the ${role} (${shown}).`);
  if (status === 401 || status === 403) return failed(`The ${role} does not accept our credentials (${shown}).`);
  if (status === 451) return failed(`The ${role} may not serve this blob (${shown}).`);
  return failed(`The ${role} refused the request (${shown}).`);
}

function retry(message: string, { cause, retryAfterMs }: { cause?: Error; retryAfterMs?: number | undefined }) {
  return { kind: "retry", error: new PortcullisError("blob-store-failed", message, { cause }), retryAfterMs } as const;
}

function failed(message: string, cause?: Error) {
  return { kind: "failed", error: new PortcullisError("blob-store-failed", message, { cause }) } as const;
}

const saysCertified = (reply: HttpReply): boolean =>
  "body" in reply && /"(?:newlyCreated|alreadyCertified)"/.test(Buffer.from(reply.body).toString());

const reason = z.enum([
  "MALFORMED_REQUEST",
  "BLOB_TOO_LARGE",
  "BLOB_NOT_FOUND",
  "FORBIDDEN_BLOB",
  "BLOB_UNAVAILABLE",
  "INSUFFICIENT_CONFIRMATIONS",
]);
const detail = z.object({ reason: reason.optional().catch(undefined) });
const errorAnswer = z.object({ error: z.object({ details: z.array(detail) }) });

function parseReason(body: Uint8Array): string | undefined {
  const { data } = errorAnswer.safeParse(parseJson(body));
  return data?.error.details.find(({ reason }) => reason !== undefined)?.reason;
}

const parseJson = (body: Uint8Array): unknown => orUndefined(() => JSON.parse(Buffer.from(body).toString()));
