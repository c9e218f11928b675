// The frame of the pages that the service itself renders. They have a style sheet and no script.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { visible } from "#core/encoding/visible-text.ts";
import type { Check, Verdict } from "#core/verify/check.ts";
import type { HttpReply } from "#http/answer/reply.ts";

const PAGE_STYLE = readFileSync(new URL("./page.css", import.meta.url), "utf8");

const policyFor = (formAction: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(PAGE_STYLE).digest("base64")}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join("; ");
const WITHOUT_FORMS = policyFor("'none'");
/** For a page whose form sends a query to this service. Nothing on such a page comes from others. */
const WITH_FORM = policyFor("'self'");

export interface Page {
  readonly title: string;
  /** The kind of page; it stands beside the name of the service. */
  readonly subtitle: string;
  readonly content: Html;
}

export function pageReply(page: Page, status = 200, { hasForm = false } = {}): HttpReply {
  const policy = hasForm ? WITH_FORM : WITHOUT_FORMS;
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return { status, headers, body: framed(page).markup };
}

function framed({ title, subtitle, content }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
${ICON_SYMBOLS}
<p class="brand"><svg aria-hidden="true"><use href="#gate"/></svg> Portcullis <span>${subtitle}</span></p>
<main>
${content}
</main>
</body>
</html>
`;
}

// HTML templates that escape every value. A string always becomes text; only what `html` itself made is markup.

export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Child = Html | string | number | false | undefined | readonly Child[];

/** Put attribute values in double quotes. Never put a value into a tag name, a style or a script. */
export const html = (strings: TemplateStringsArray, ...children: readonly Child[]): Html =>
  new Html(strings.map((part, i) => (i === 0 ? part : markupOf(children[i - 1]) + part)).join(""));

function markupOf(child: Child): string {
  if (child === undefined || child === false) return "";
  if (child instanceof Html) return child.markup;
  return typeof child === "object" ? child.map(markupOf).join("") : escaped(String(child));
}

const escaped = (text: string): string => visible(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

// The icons of a check's status: a disc with a tick, an octagon with a cross, a broken ring with a question mark. Each has
// its own shape, so that nobody needs to tell their colours apart.

const ICON_SYMBOLS: Html = html`<svg class="symbols" aria-hidden="true">
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
