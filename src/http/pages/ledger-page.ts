// Pages of the local ledger's explorer: transactions and objects, decoded. GET /api/ledger/… gives the same as JSON.
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { type HttpReply, problemOf } from "#http/answer/reply.ts";
import type { ExplorerTransaction } from "#ports.ts";
import { type Explored, readLedgerObject, readLedgerTransaction } from "#service/anchoring/ledger-explorer.ts";
import { type Html, html, pageReply } from "./page.ts";

// Links are relative, so that they hold below any base path.
const SUBTITLE = "local ledger";

const LOCAL_LEDGER_NOTE =
  "This is the local ledger of this service, not Sui: a log that only its operator keeps, and can rewrite. It is for trying things without a network. It proves nothing to others.";

export function transactionPage(tenant: Explored, digest: string, principal: Principal): Promise<HttpReply> {
  return orErrorPage(async () => {
    const transaction = await readLedgerTransaction(tenant, digest, principal);
    const { status, timestampMs, sender, events, changedObjects, calls, bcs, effects, signatures } = transaction;
    const when = new Date(timestampMs).toISOString();
    return pageReply({
      title: `Transaction ${digest}`,
      subtitle: SUBTITLE,
      content: html`${heading("Transaction", digest)}
<p>${status.success ? "Executed" : "Failed"} at <time datetime="${when}">${when}</time>, sent by <code>${sender}</code>.</p>
<section><h2>What happened</h2>${events.length === 0 && html`<p>The gate emitted no events.</p>`}
<ul>${events.map((event) => html`<li>${eventSentence(event)}</li>`)}</ul></section>
<section><h2>Objects</h2><ul>${changedObjects.map(
        ({ objectId, type, change }) =>
          html`<li>${change} ${shortType(type)}<br><a href="../object/${objectId}"><code>${objectId}</code></a></li>`,
      )}</ul></section>
${json("Calls", calls)}${json("Transaction bytes, effects (BCS, base64) and signatures", { bcs, effects, signatures })}`,
    });
  });
}

export function objectPage(tenant: Explored, objectId: string, principal: Principal): Promise<HttpReply> {
  return orErrorPage(async () => {
    const { fields, owner, type, version, digest, previousTransaction, content, bcs } = await readLedgerObject(
      tenant,
      objectId,
      principal,
    );
    const isReceipt = shortType(type) === "gate::Receipt";
    return pageReply({
      title: `Object ${objectId}`,
      subtitle: SUBTITLE,
      content: html`${heading(shortType(type), objectId)}
<p>Version ${version}, last changed by <a href="../tx/${previousTransaction}"><code>${previousTransaction}</code></a>.
${isReceipt && html`<a href="../../verify/${objectId}">Verify this receipt.</a>`}</p>
${json("Fields", fields)}${json("Owner, type and digest", { owner, type, digest })}${json("BCS (base64)", { content, bcs })}`,
    });
  });
}

function heading(title: string, id: string): Html {
  return html`<header class="verdict"><div><h1>${title}</h1><p class="lead">${LOCAL_LEDGER_NOTE}</p></div></header>
<p class="id"><code>${id}</code></p>`;
}

function eventSentence({ name, fields }: ExplorerTransaction["events"][number]): Html {
  const { agent, namespace, allowed, receipt, all_authorized } = fields as Readonly<Record<string, unknown>>;
  if (name === "AccessChanged") {
    return html`${String(agent)} ${allowed === true ? "may now" : "may no longer"} use ${String(namespace)}.`;
  }
  const verdict = all_authorized === true ? "all its claims were authorized" : "not all its claims were authorized";
  return html`A receipt for ${String(agent)} was anchored; ${verdict}: <a href="../../verify/${String(receipt)}">verify it</a>.`;
}

const json = (title: string, value: unknown): Html =>
  html`<section><h2>${title}</h2><pre><code>${JSON.stringify(value, null, 2)}</code></pre></section>`;

/** A Move type without the addresses of its packages. */
const shortType = (type: string): string => type.replaceAll(/0x[0-9a-f]+::/g, "");

async function orErrorPage(page: () => Promise<HttpReply>): Promise<HttpReply> {
  try {
    return await page();
  } catch (error) {
    if (!(error instanceof PortcullisError)) throw error;
    const content = html`<header class="verdict"><div><h1>Not found</h1><p class="lead">${error.message}</p></div></header>`;
    return pageReply({ title: "Not found", subtitle: SUBTITLE, content }, problemOf(error).status);
  }
}
