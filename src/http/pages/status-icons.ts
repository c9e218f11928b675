// The icons of a check's status: a disc with a tick, an octagon with a cross, a broken ring with a question mark. Each has
// its own shape, so that nobody needs to tell their colours apart.
import type { Check, Verdict } from "#core/verify/check.ts";
import { type Html, html } from "./html.ts";

export const ICON_SYMBOLS: Html = html`<svg class="symbols" aria-hidden="true">
<symbol id="pass" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="currentColor"/><path class="cut" d="M7 12.4l3.4 3.4L17.2 9"/></symbol>
<symbol id="fail" viewBox="0 0 24 24"><path fill="currentColor" d="M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9z"/><path class="cut" d="M8.3 8.3l7.4 7.4m0-7.4l-7.4 7.4"/></symbol>
<symbol id="unknown" viewBox="0 0 24 24"><circle class="ring" cx="12" cy="12" r="10.2"/><path class="mark" d="M9.2 9.4a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1-1.5 2.1"/><circle cx="12" cy="17.2" r="1.2" fill="currentColor"/></symbol>
<symbol id="gate" viewBox="0 0 24 24"><path class="bars" d="M3 21V10a9 9 0 0 1 18 0v11M7.5 4.8V19M12 3v18M16.5 4.8V19M3.4 9h17.2M3 14h18"/></symbol>
</svg>`;

const STATUS_OF: Readonly<Record<Verdict, Check["status"]>> = { verified: "pass", failed: "fail", unknown: "unknown" };

export const verdictIcon = (verdict: Verdict): Html =>
  html`<svg class="shape big" aria-hidden="true"><use href="#${STATUS_OF[verdict]}"/></svg>`;

export const statusIcon = (status: Check["status"]): Html =>
  html`<svg class="shape" aria-hidden="true"><use href="#${status}"/></svg>`;
