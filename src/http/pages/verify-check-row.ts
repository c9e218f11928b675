// One check as a row of the page: shape and word, what it is about, what was compared.

import { differenceOf } from "#core/encoding/text-difference.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Check, Compared } from "#core/verify/check.ts";
import { CHECK_TITLE, STATUS_WORD } from "#core/verify/labels.ts";
import { type Child, type Html, html } from "./html.ts";
import { smallShape } from "./page-shapes.ts";

type Shown = ForeignReceipt["usedMemories"][number];

/** `shown`: what the receipt shows of the memory, for a check of one. */
export function checkRow(check: Check, shown?: Shown): Html {
  const { name, index, status, sentence } = check;
  const title = index === undefined ? CHECK_TITLE[name] : html`Memory ${index + 1} in <em>${shown?.namespace}</em>`;
  return html`<li class="check ${status}">
<p class="status">${smallShape(status)}<b>${STATUS_WORD[status]}</b></p>
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
  const { start, left, right, end } = differenceOf(expected, actual);
  const row = (label: string, middle: string) =>
    html`<div><dt>${label}</dt><dd>${breakable(start)}<mark>${breakable(middle)}</mark>${breakable(end)}</dd></div>`;
  return html`<dl class="compared">${row("expected", left)}${row("found", right)}</dl>`;
}
