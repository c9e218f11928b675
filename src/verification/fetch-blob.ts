// Reads a blob from an aggregator, or from the service in its place, as anybody can.
import { sendRequest } from "#contract/client/send-request.ts";
import { ProblemError } from "#contract/problem.ts";
import { readUpTo } from "#core/encoding/read-up-to.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";

/** Our blobs have some tens of KiB at most. A store that sends more than this counts as unreachable. */
const MAX_BYTES = 1024 * 1024;
/** For all tries. */
const DEADLINE_MS = 10_000;
/** A connection breaks now and then, and a store that is busy refuses. Of a genuine receipt, neither should show. */
const RETRIES = 2;

const PLACE = { method: "GET", path: "/v1/blobs/{blobId}" } as const;

interface BlobSource {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
  /** How each request is sent, beside its address. */
  readonly init?: RequestInit;
  /** Called with a response whose body will be read. */
  readonly onResponse?: (response: Response) => void;
}

export async function fetchBlob(
  blobId: string,
  { baseUrl, signal, init: own = {}, onResponse }: BlobSource,
): Promise<FetchedBlob> {
  const ask = async (...[input, init]: Parameters<typeof fetch>) =>
    answerOf(await fetch(input, { ...init, redirect: "error", ...own }));
  const store = { baseUrl, fetch: ask, retries: RETRIES, timeoutMs: DEADLINE_MS };
  try {
    return await sendRequest(store, PLACE, { params: { blobId }, signal }, async (response) => {
      if (response.body === null) return "unreachable";
      onResponse?.(response);
      return (await readUpTo(MAX_BYTES, response.body)) ?? "unreachable";
    });
  } catch (error) {
    return error instanceof ProblemError && error.status === 404 ? "missing" : "unreachable";
  }
}

/** Of a refusal, the status and the time to wait. Its body may be of any length, so it is not read. */
function answerOf(response: Response): Response {
  if (response.ok) return response;
  response.body?.cancel().catch(() => undefined);
  const wait = response.headers.get("retry-after");
  return new Response(null, { status: response.status, headers: wait === null ? {} : { "retry-after": wait } });
}
