// GET /verify/<receiptId>: a verification as a page, or as JSON for a client that asks for it. It needs no credentials and
// no script, and shows nothing that its reader could not find out without this service.
import { PortcullisError } from "#core/errors.ts";
import { problemOf } from "#http/answer/problem.ts";
import { type HttpReply, jsonReply } from "#http/answer/reply.ts";
import { absoluteUrl } from "#http/edge/base-path.ts";
import { prefersJson } from "#http/request/accept-header.ts";
import type { Verification, Verifier } from "#service/verification/verifier.ts";
import { pageReply } from "./page.ts";
import { refusalPage, verificationPage } from "./verify-html.ts";

interface VerifyPageOptions {
  readonly receiptId: string;
  /** Where the reader sees us. */
  readonly baseUrl: string;
  /** Where anyone can GET `/v1/blobs/<blobId>`; left out, this service. */
  readonly aggregator?: string | undefined;
  /** Aborts when the reader goes away. */
  readonly signal?: () => AbortSignal;
}

export async function verifyPage(
  { verifier }: { readonly verifier: Verifier },
  request: Request,
  { receiptId, baseUrl, aggregator, signal }: VerifyPageOptions,
): Promise<HttpReply> {
  const { searchParams } = new URL(request.url);
  const deep = searchParams.get("deep") === "1";
  const isJson = prefersJson(request.headers.get("accept") ?? "");
  try {
    const verification = withExplorerUrl(
      baseUrl,
      await verifier.verify(receiptId, deep && signal !== undefined ? { deep, signal: signal() } : { deep }),
    );
    const status = statusOf(verification);
    if (isJson) return varying(jsonReply(verification, status));
    const page = verificationPage(verification, { origin: baseUrl, aggregator: aggregator ?? baseUrl });
    return varying(pageReply(page, status));
  } catch (error) {
    if (isJson || !(error instanceof PortcullisError)) throw error;
    const { status } = problemOf(error);
    return varying(pageReply(refusalPage(error.message), status));
  }
}

/** The local ledger's explorer is a page of this service, and its URL has no origin. */
export function withExplorerUrl(baseUrl: string, verification: Verification): Verification {
  const { explorerUrl } = verification;
  return explorerUrl === undefined ? verification : { ...verification, explorerUrl: absoluteUrl(baseUrl, explorerUrl) };
}

/** A verification that fails is a result, so 200. 404 is for an object that does not exist. */
function statusOf({ checks, chain }: Verification): number {
  return chain === null && checks.some(({ name, status }) => name === "object" && status === "fail") ? 404 : 200;
}

const varying = (reply: HttpReply): HttpReply => ({ ...reply, headers: { ...reply.headers, vary: "accept" } });
