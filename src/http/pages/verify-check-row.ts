// One check as a row of the verification page: icon and word, what it is about, and the values that were compared.
import { differenceOf } from "#core/encoding/text-difference.ts";
import { isCited } from "#core/receipt/citations.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Check, Compared } from "#core/verify/check.ts";
import { CHECK_TITLE, STATUS_WORD } from "#core/verify/labels.ts";
import { type Child, type Html, html } from "./html.ts";
import { statusIcon } from "./status-icons.ts";

type ShownMemory = ForeignReceipt["usedMemories"][number];

/** `shown` is what the receipt shows of the memory that is checked, if it is one. */
export function checkRow(check: Check, shown?: ShownMemory): Html {
  const { name, index, status, sentence } = check;
  const title =
    index === undefined
      ? CHECK_TITLE[name]
      : html`Memory ${index + 1} in <em>${shown?.namespace}</em>${shown && isCited(shown) && ", cited"}`;
  return html`<li class="check ${status}">
<p class="status">${statusIcon(status)}<b>${STATUS_WORD[status]}</b></p>
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
