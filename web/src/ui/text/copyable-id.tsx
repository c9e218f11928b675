// A shortened id or digest with a button that copies the whole value.
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { routePath } from "#web/lib/base-path.ts";
import { Monospace } from "./monospace.tsx";

const COPIED_MS = 1_500;

interface CopyableIdProps {
  readonly value: string;
  /** What the value is, for the copy button: "blob id". */
  readonly label: string;
  /** The number of characters shown at either end. The title has the whole value. */
  readonly ends?: number;
  readonly href?: string | undefined;
}

export function CopyableId({ value, label, ends = 6, href }: CopyableIdProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const text = <Monospace>{shortened(value, ends)}</Monospace>;
  return (
    <span className="inline-flex max-w-full items-center gap-0.5 align-baseline">
      {href === undefined && <span title={value}>{text}</span>}
      {href !== undefined && <IdLink href={href} value={value} text={text} />}
      <button
        type="button"
        aria-label={`Copy ${label}`}
        title={`Copy ${label}`}
        className="inline-grid size-6 flex-none place-items-center rounded-sm text-soft hover:bg-well hover:text-ink"
        onClick={() => void navigator.clipboard?.writeText(value).then(() => setCopied(true))}
      >
        {copied ? <Check className="size-3.5" aria-hidden="true" /> : <Copy className="size-3.5" aria-hidden="true" />}
      </button>
      <span role="status" className="sr-only">
        {copied ? `Copied ${label}.` : ""}
      </span>
    </span>
  );
}

/** The router opens pages of the app. The browser opens the rest, also a blob that the service itself serves. */
function IdLink({ href, value, text }: { readonly href: string; readonly value: string; readonly text: ReactNode }) {
  const { origin, pathname } = new URL(href, location.href);
  const path = routePath(pathname);
  if (origin === location.origin && !path.startsWith("/v1/")) {
    return (
      <Link href={path} title={value}>
        {text}
      </Link>
    );
  }
  return (
    <a href={href} title={value}>
      {text}
    </a>
  );
}

function shortened(value: string, ends: number): string {
  return value.length <= 2 * ends + 3 ? value : `${value.slice(0, ends)}…${value.slice(-ends)}`;
}
