// GET /verify/<receiptId>: a verification as a page, or as JSON for a client that asks for it. It needs no credentials and
// no script, and shows nothing that its reader could not find out without this service.
import { absoluteUrl } from "#core/base-path.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import { assuranceOf } from "#core/verify/assurance.ts";
import { type HttpReply, jsonReply, problemOf, withHeaders } from "#http/answer/reply.ts";
import { prefersJson } from "#http/request/read-input.ts";
import { findAnchors } from "#service/anchoring/ledger-explorer.ts";
import type { Verification, Verifier } from "#service/anchoring/verifier.ts";
import type { Tenant } from "#service/tenant.ts";
import { type Html, html, pageReply } from "./page.ts";
import { refusalPage, verificationPage } from "./verify-html.ts";

interface VerifyPageOptions {
  readonly receiptId: string;
  readonly caller?: string | undefined;
  readonly baseUrl: string;
  /** Where anyone can GET `/v1/blobs/<blobId>`; left out, this service. */
  readonly aggregator?: string | undefined;
  readonly signal?: () => AbortSignal;
}

export async function verifyPage(
  { verifier }: { readonly verifier: Verifier },
  request: Request,
  { receiptId, caller, baseUrl, aggregator, signal }: VerifyPageOptions,
): Promise<HttpReply> {
  const { searchParams } = new URL(request.url);
  const deep = searchParams.get("deep") === "1";
  const isJson = prefersJson(request.headers.get("accept") ?? "");
  try {
    const options = { deep, caller, ...(deep && signal !== undefined && { signal: signal() }) };
    const verification = withExplorerUrl(baseUrl, await verifier.verify(receiptId, options));
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
const statusOf = ({ checks, chain }: Verification): number =>
  chain === null && checks.some(({ name, status }) => name === "object" && status === "fail") ? 404 : 200;

const varying = (reply: HttpReply): HttpReply => withHeaders(reply, { vary: "accept" });

// GET /verify without script: a box for any id of an anchored receipt, and where it was anchored. It needs no credentials.

type Found = Awaited<ReturnType<typeof findAnchors>>;

/** As the contract has it. */
const ID = /^[\w.~=-]{1,128}$/;

// Links are relative, so that they hold below any base path.
export async function verifyStartPage(
  tenant: Pick<Tenant, "records" | "about" | "ledger">,
  id: string,
): Promise<HttpReply> {
  if (id === "") return reply(tenant, id, undefined);
  const receiptId = fullAddress(id);
  if (receiptId !== undefined) return { status: 303, headers: { location: `verify/${receiptId}?plain=1` }, body: "" };
  if (!ID.test(id))
    return reply(tenant, id, html`<p><b>That is not an id.</b> Check that you copied all of it.</p>`, 400);
  try {
    return reply(tenant, id, foundList(await findAnchors(tenant, id)));
  } catch (error) {
    if (!(error instanceof PortcullisError) || error.code !== "not-found") throw error;
    return reply(tenant, id, html`<p><b>${error.message}</b> ${NOT_FOUND}</p>`, problemOf(error).status);
  }
}

const NOT_FOUND =
  "It was never anchored, or not by this service. A receipt that is not anchored can be checked by whoever holds it, on the page with script.";

function reply(
  { about, ledger }: Pick<Tenant, "about" | "ledger">,
  id: string,
  result: Html | undefined,
  status = 200,
) {
  const worth = assuranceOf({ network: ledger.network, blobs: about.blobs.kind });
  const page = {
    title: "Verify a receipt",
    subtitle: "receipt verification",
    content: html`<header class="verdict"><div><h1>Verify a receipt</h1>
<p class="lead">Enter any id of a receipt that was anchored: of its object on the ledger, its transaction, its blob, its answer, or its digest.</p></div></header>
<form action="verify" method="get" class="find"><input type="hidden" name="plain" value="1">
<label for="q">Id of the receipt</label>
<div><input id="q" name="q" value="${id}" autocomplete="off" spellcheck="false" maxlength="128" required>
<button>Verify</button></div></form>
${result !== undefined && html`<section role="status" class="found"><h2>Result</h2>${result}</section>`}
<section><h2>What a proof is worth here</h2><p class="worth">${worth}</p></section>
<p class="says">The <a href="verify">page with script</a> also reads a receipt as a file, opens sealed ones, and compares a question and an answer, all in the reader’s own browser.</p>`,
  };
  return pageReply(page, status, { hasForm: true });
}

function foundList({ anchors, more }: Found): Html {
  const rows = anchors.map((anchor) =>
    anchor.kind === "ledger"
      ? html`<li><a href="verify/${anchor.receiptId}?plain=1">On the ledger${anchor.sealed && ", sealed"}</a>, anchored ${anchor.anchoredAt}<br><code>${anchor.receiptId}</code></li>`
      : html`<li>As a public blob${anchor.sealed && ", sealed"}, stored ${anchor.anchoredAt}<br><code>${anchor.blobId}</code></li>`,
  );
  return html`<ul>${rows}</ul>${more && html`<p>There are others. These are the first.</p>`}`;
}
