// GET /verify without script: a box for any id of an anchored receipt, and where it was anchored. It needs no credentials.
import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import { provedBy } from "#core/verify/set-up.ts";
import { problemOf } from "#http/answer/problem.ts";
import type { HttpReply } from "#http/answer/reply.ts";
import { findAnchors } from "#service/anchoring/find-anchors.ts";
import type { Deps } from "#service/deps.ts";
import { type Html, html } from "./html.ts";
import { pageReply } from "./page.ts";

type Found = Awaited<ReturnType<typeof findAnchors>>;

/** As the contract has it. */
const ID = /^[\w.~=-]{1,128}$/;

// Links are relative, so that they hold below any base path.
export async function verifyStartPage(deps: Deps, { searchParams }: URL): Promise<HttpReply> {
  const id = searchParams.get("q")?.trim() ?? "";
  if (id === "") return reply(deps, id, undefined);
  const receiptId = fullAddress(id);
  if (receiptId !== undefined) return { status: 303, headers: { location: `verify/${receiptId}?plain=1` }, body: "" };
  if (!ID.test(id))
    return reply(deps, id, html`<p><b>That is not an id.</b> Check that you copied all of it.</p>`, 400);
  try {
    return reply(deps, id, foundList(await findAnchors(deps, id)));
  } catch (error) {
    if (!(error instanceof PortcullisError) || error.code !== "not-found") throw error;
    return reply(deps, id, html`<p><b>${error.message}</b> ${NOT_FOUND}</p>`, problemOf(error).status);
  }
}

const NOT_FOUND =
  "It was never anchored, or not by this service. A receipt that is not anchored can be checked by whoever holds it, on the page with script.";

function reply({ about, ledger }: Pick<Deps, "about" | "ledger">, id: string, result: Html | undefined, status = 200) {
  const worth = provedBy({ network: ledger.network, blobs: about.blobs.kind });
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
