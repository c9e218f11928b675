// The frame of the pages that the service itself renders. They have a style sheet and no script.
import { createHash } from "node:crypto";
import type { HttpReply } from "#http/answer/reply.ts";
import { Html, html } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { ICON_SYMBOLS } from "./status-icons.ts";

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(PAGE_STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export interface Page {
  readonly title: string;
  /** The kind of page; it stands beside the name of the service. */
  readonly subtitle: string;
  readonly content: Html;
}

export function pageReply(page: Page, status = 200): HttpReply {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": CONTENT_SECURITY_POLICY };
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
