// The frame of the pages that the service itself renders. They have a style sheet and no script.
import { createHash } from "node:crypto";
import type { HttpReply } from "#http/answer/reply.ts";
import { Html, html } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { ICON_SYMBOLS } from "./status-icons.ts";

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
