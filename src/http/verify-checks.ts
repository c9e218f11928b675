// One check as a row of the page: shape and word, what it is about, what was compared.
import type { Check, Compared } from "../core/check.ts";
import type { ForeignReceipt } from "../core/receipt.ts";
import { type Child, type Html, html } from "./html.ts";
import { smallShape } from "./page-shapes.ts";

type Shown = ForeignReceipt["usedMemories"][number];

const WORD: Readonly<Record<Check["status"], string>> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };

const TITLE: Readonly<Record<Check["name"], string>> = {
  object: "Is it a receipt of ours, on the ledger?",
  blob: "Can its text be fetched?",
  digest: "Is this the text that was anchored?",
  receipt: "Is the text a receipt?",
  agent: "Is it for the agent on the ledger?",
  claims: "Was everything allowed that it claims?",
  issued: "Did this service issue it?",
  memory: "Are the memories what it shows?",
  id: "Does the blob’s id follow from its bytes?",
};

/** `shown`: what the receipt shows of the memory, for a check of one. */
export function checkRow(check: Check, shown?: Shown): Html {
  const { name, index, status, sentence } = check;
  const title = index === undefined ? TITLE[name] : html`Memory ${index + 1} in <em>${shown?.namespace}</em>`;
  return html`<li class="check ${status}">
<p class="status">${smallShape(status)}<b>${WORD[status]}</b></p>
<div><h3>${title}</h3>${shown && html`<blockquote>${shown.snippet}</blockquote>`}<p>${sentence}</p>${valuesOf(check, shown)}</div>
</li>`;
}

/** What a memory was compared with stands there already, when it was the same. */
function valuesOf({ status, compared }: Check, shown: Shown | undefined): Child {
  if (shown !== undefined && (status !== "fail" || compared === undefined)) return single("blob", shown.storeRef);
  return compared && comparison(compared);
}

const single = (label: string, value: string): Html =>
  html`<dl class="compared"><div><dt>${label}</dt><dd>${breakable(value)}</dd></div></dl>`;

/** A long type is best broken between its parts. */
const breakable = (value: string): Child => value.split("::").map((part, i) => (i === 0 ? part : html`<wbr>::${part}`));

function comparison({ expected, actual }: Compared): Html {
  if (expected === actual) return single("both", expected);
  const [start, end] = shared(expected, actual);
  const row = (label: string, value: string) => {
    const middle = value.slice(start, value.length - end);
    return html`<div><dt>${label}</dt><dd>${breakable(value.slice(0, start))}<mark>${breakable(middle)}</mark>${breakable(value.slice(value.length - end))}</dd></div>`;
  };
  return html`<dl class="compared">${row("expected", expected)}${row("found", actual)}</dl>`;
}

/** How much two texts have in common at their beginning, and then at their end. */
function shared(a: string, b: string): readonly [start: number, end: number] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}
