// A verification as HTML. Each status has a word and an icon; colour only repeats them.
import { differenceOf } from "#core/encoding/visible-text.ts";
import { isCited, memoriesSummary, receiptKind } from "#core/receipt/citations.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { assuranceOf } from "#core/verify/assurance.ts";
import type { Check, Compared } from "#core/verify/check.ts";
import * as labels from "#core/verify/labels.ts";
import { commandsFor, type Endpoints } from "#core/verify/shell-commands.ts";
import type { Verification } from "#service/anchoring/verifier.ts";
import { type Child, type Html, html, type Page, statusIcon, verdictIcon } from "./page.ts";

const SUBTITLE = "receipt verification";

export function verificationPage(verification: Verification, endpoints: Endpoints): Page {
  const { receiptId, verdict, checks, receipt, sealed, network } = verification;
  const ofMemories = checks.filter(({ name }) => name === "memory");
  const others = checks.filter(({ name }) => name !== "memory");
  const ledger = ledgerSourceOf(verification);
  const headline = labels.headlineOf(verdict, checks, sealed, ledger);
  const title = `${headline}: receipt ${receiptId.slice(0, 10)}…${receiptId.slice(-6)}`;
  return {
    title,
    subtitle: SUBTITLE,
    content: html`<header class="verdict ${labels.isOnlyConsistent(verdict, ledger) ? "consistent" : verdict}">
${verdictIcon(verdict)}
<div><h1>${headline}</h1><p class="lead">${labels.summaryOf({ verdict, checks, ledger })}</p></div>
</header>
<p class="worth">${assuranceOf({ network, blobs: isMock(endpoints) ? "memory" : "walrus" })}</p>
${sealed && SEALED_NOTE}
${limits(verification, ledger, endpoints)}
<p class="id"><span>Receipt</span> <code>${receiptId}</code></p>
${facts(verification)}
<section><h2>What was checked</h2>${checkList(others, verdict, (check) => checkRow(check))}</section>
<section><h2>Memories that were used</h2>${receipt !== null && html`<p class="says">The receipt says: ${memoriesSummary(receipt)}.</p>`}
${checkList(ofMemories, verdict, (check) => checkRow(check, shownBy(check, receipt)))}</section>
${commands(verification, endpoints)}`,
  };
}

/** When the verification failed, the checks that passed are folded, so that the others are seen. */
function checkList(checks: readonly Check[], verdict: Verification["verdict"], row: (check: Check) => Html): Html {
  const folded = verdict === "failed" ? checks.filter(({ status }) => status === "pass") : [];
  const shown = checks.filter((check) => !folded.includes(check));
  const list = (some: readonly Check[]) => html`<ol class="checks">${some.map(row)}</ol>`;
  const passed = `${folded.length} ${folded.length === 1 ? "check" : "checks"} passed`;
  return html`${shown.length > 0 && list(shown)}${
    folded.length > 0 && html`<details class="folded"><summary>${passed}</summary>${list(folded)}</details>`
  }`;
}

const SEALED_NOTE = html`<p class="says">This receipt is sealed. An opening in the address never reaches the service, so this page
cannot use it: the page with script opens the receipt in the reader’s own browser.</p>`;

const isMock = ({ origin, aggregator }: Endpoints): boolean => aggregator === origin;

/** The service asks whom it is told to ask. */
const ledgerSourceOf = ({ network }: Verification): labels.LedgerSource =>
  network === "local" ? "local" : "operators-node";

/** What the verdict does not show. It stands where nobody can miss it. */
function limits(verification: Verification, ledger: labels.LedgerSource, endpoints: Endpoints): Html {
  const store = isMock(endpoints) ? "mock" : "public";
  const points = labels.notShown({ ...verification, ledger, store }).map((point) => html`<li>${point}.</li>`);
  return html`<section class="limits"><h2>What this does not show</h2><p>It is not shown that</p><ul>${points}</ul></section>`;
}

export function refusalPage(message: string): Page {
  return {
    title: "Not a receipt id",
    subtitle: SUBTITLE,
    content: html`<header class="verdict unknown">
${verdictIcon("unknown")}
<div><h1>Not a receipt id</h1><p class="lead">${message}</p></div>
</header>
<p>The address of this page ends in the id that anchoring gave, as <code>receiptId</code> and in
<code>verifyPath</code>. Perhaps it was cut off when it was copied.</p>`,
  };
}

const shownBy = ({ index }: Check, receipt: ForeignReceipt | null) =>
  index === undefined ? undefined : receipt?.usedMemories[index];

function facts({ chain, receipt, sealed, hasPseudonyms, network, txDigest, explorerUrl }: Verification): Child {
  if (chain === null) return undefined;
  const shownReceipt = receipt ?? sealed?.receipt;
  const entries: (readonly [string, Child])[] = [
    [hasPseudonyms ? "Agent (pseudonym)" : "Agent", html`<b>${chain.agent}</b>`],
    [
      shownReceipt && receiptKind(shownReceipt) === "recalled" ? "Recalled" : "Answered",
      shownReceipt !== undefined && timeOf(shownReceipt.createdAt),
    ],
    ["Anchored", timeOf(chain.anchoredAtMs)],
    [hasPseudonyms ? "Claimed namespaces (pseudonyms)" : "Claimed namespaces", names(chain.claimed)],
    ["Blocked namespaces", receipt !== null && names(receipt.blockedNamespaces)],
    ["Policy on the ledger", html`version ${chain.policyVersion}, as of the answer`],
    [
      "Ledger",
      network === "local" ? "local, kept by this service" : `Sui, ${network}, says a node of the operator’s choice`,
    ],
    ["Transaction", txDigest !== undefined && link(explorerUrl, html`<code>${txDigest}</code>`)],
  ];
  const shown = entries.filter(([, value]) => value !== false);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const NAMES_SHOWN = 24;

function names(list: readonly string[]): Html {
  if (list.length === 0) return html`<i>none</i>`;
  const shown = list.slice(0, NAMES_SHOWN).map((name) => html`<li>${name}</li>`);
  const rest = list.length - shown.length;
  return html`<ul class="names">${shown}${rest > 0 && html`<li class="more">and ${rest} more</li>`}</ul>`;
}

/** The ledger's time is any u64, and a date may not hold it. A time without an offset is shown as it is: it may not be UTC. */
function timeOf(time: string | number): Html {
  const date = new Date(typeof time === "number" || /Z|[+-]\d\d:\d\d$/.test(time) ? time : Number.NaN);
  if (Number.isNaN(date.getTime())) return html`${time}`;
  const iso = date.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
}

/** Only http and https become links. The URL comes from an adapter, and is still not trusted to be one of them. */
const link = (url: string | undefined, content: Html): Html =>
  url !== undefined && /^https?:\/\//.test(url) ? html`<a href="${url}" rel="noreferrer">${content}</a>` : content;

function commands(verification: Verification, endpoints: Endpoints): Html {
  const isLocal = verification.network === "local";
  const steps = commandsFor(verification, endpoints).map(
    ({ purpose, line, prints }) =>
      html`<li><p>${purpose}</p><pre><code>${line}</code></pre>${
        prints !== undefined && html`<p class="prints">It must print <code>${prints}</code></p>`
      }</li>`,
  );
  return html`<section class="repeat"><h2>Repeat it without us</h2>
<p>This page was made by the service that it judges. The commands below ask the ledger and the blob store themselves.${
    isLocal &&
    " The ledger here is the service’s own local one: it shows that the records agree with each other. To convince somebody who does not trust the operator, anchor on a public network."
  }</p>
<ol>${steps}</ol></section>`;
}

// One check as a row of the verification page: icon and word, what it is about, and the values that were compared.

type ShownMemory = ForeignReceipt["usedMemories"][number];

/** `shown` is what the receipt shows of the memory that is checked, if it is one. */
function checkRow(check: Check, shown?: ShownMemory): Html {
  const { name, index, status, sentence } = check;
  const title =
    index === undefined
      ? labels.CHECK_TITLE[name]
      : html`Memory ${index + 1} in <em>${shown?.namespace}</em>${shown && isCited(shown) && ", cited"}`;
  return html`<li class="check ${status}">
<p class="status">${statusIcon(status)}<b>${labels.STATUS_WORD[status]}</b></p>
<div><h3>${title}</h3>${shown && html`<blockquote>${shown.snippet}</blockquote>`}<p>${sentence}</p>${valuesOf(check, shown)}</div>
</li>`;
}

/** For a memory that is as the receipt shows it, the row shows that text already; only the blob id is added. */
function valuesOf({ status, compared }: Check, shown: ShownMemory | undefined): Child {
  if (shown !== undefined && (status !== "fail" || compared === undefined)) return single("blob", shown.storeRef);
  return compared && comparison(compared);
}

const single = (label: string, value: string): Html =>
  html`<dl class="compared"><div><dt>${label}</dt><dd>${breakable(value)}</dd></div></dl>`;

/** Lets a browser break a long Move type between its parts. */
const breakable = (value: string): Child => value.split("::").map((part, i) => (i === 0 ? part : html`<wbr>::${part}`));

function comparison({ expected, actual }: Compared): Html {
  if (expected === actual) return single("both", expected);
  const { start, left, right, end } = differenceOf(expected, actual);
  const row = (label: string, middle: string) =>
    html`<div><dt>${label}</dt><dd>${breakable(start)}<mark>${breakable(middle)}</mark>${breakable(end)}</dd></div>`;
  return html`<dl class="compared">${row("expected", left)}${row("found", right)}</dl>`;
}
