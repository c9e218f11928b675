// GET /verify/<receiptId>: the verification for people, and for programs that ask here for JSON. It needs no
// credentials and no script, and says nothing that its reader could not find out without us.
import { PortcullisError } from "#core/errors.ts";
import { problemOf } from "#http/answer/problem.ts";
import { type HttpReply, jsonReply } from "#http/answer/reply.ts";
import type { Verification, Verifier } from "#service/verification/verifier.ts";
import { pageReply } from "./page.ts";
import { refusalPage, verificationPage } from "./verify-html.ts";

interface VerifyPageOptions {
  readonly receiptId: string;
  /** Where anyone can GET `/v1/blobs/<blobId>`; we ourselves, unless told. */
  readonly aggregator?: string | undefined;
  /** Aborts when the reader goes away. */
  readonly signal?: () => AbortSignal;
}

export async function verifyPage(
  { verifier }: { readonly verifier: Verifier },
  request: Request,
  { receiptId, aggregator, signal }: VerifyPageOptions,
): Promise<HttpReply> {
  const { origin, searchParams } = new URL(request.url);
  const deep = searchParams.get("deep") === "1";
  const isJson = prefersJson(request.headers.get("accept") ?? "");
  try {
    const verification = seenFrom(
      origin,
      await verifier.verify(receiptId, deep && signal !== undefined ? { deep, signal: signal() } : { deep }),
    );
    const status = statusOf(verification);
    if (isJson) return varying(jsonReply(verification, status));
    const page = verificationPage(verification, { origin, aggregator: aggregator ?? origin });
    return varying(pageReply(page, status));
  } catch (error) {
    if (isJson || !(error instanceof PortcullisError)) throw error;
    const { status } = problemOf(error);
    return varying(pageReply(refusalPage(error.message), status));
  }
}

/** The local ledger's explorer is a page of our own, known by its path. */
export function seenFrom(origin: string, verification: Verification): Verification {
  const { explorerUrl } = verification;
  return explorerUrl === undefined ? verification : { ...verification, explorerUrl: new URL(explorerUrl, origin).href };
}

/** A receipt that fails is an answer. An object that is not there is none. */
function statusOf({ checks, chain }: Verification): number {
  return chain === null && checks.some(({ name, status }) => name === "object" && status === "fail") ? 404 : 200;
}

const varying = (reply: HttpReply): HttpReply => ({ ...reply, headers: { ...reply.headers, vary: "accept" } });

/** Whether JSON is wanted more than HTML. Who has no preference gets the page: `/api/verify` is there for the rest. */
export function prefersJson(accept: string): boolean {
  const weights = weightsIn(accept);
  const [json, page] = [weightOf("application/json", weights), weightOf("text/html", weights)];
  // Many programs send "application/json, */*": what they name is what they want.
  return json === page ? weights.has("application/json") && !weights.has("text/html") : json > page;
}

function weightsIn(accept: string): Map<string, number> {
  const ranges = accept.toLowerCase().split(",");
  return new Map(
    ranges.map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
}

/** That of the most specific range that covers the type (RFC 9110, 12.5.1). */
function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const [kind] = type.split("/");
  return weights.get(type) ?? weights.get(`${kind}/*`) ?? weights.get("*/*") ?? 0;
}
