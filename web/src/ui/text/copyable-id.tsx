// Numbers, ids and digests.
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { classes } from "#web/lib/class-names.ts";

export function Mono({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <span className={classes("font-mono text-[0.86em]", className)}>{children}</span>;
}

const COPIED_MS = 1_500;

interface CopyableIdProps {
  readonly value: string;
  /** What it is, for the copy button: "blob id". */
  readonly label: string;
  /** Characters that stay at either end; the whole is in the title and is what gets copied. */
  readonly ends?: number;
  /** Leads somewhere. */
  readonly href?: string | undefined;
}

export function CopyableId({ value, label, ends = 6, href }: CopyableIdProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const text = <Mono>{shortened(value, ends)}</Mono>;
  return (
    <span className="inline-flex max-w-full items-center gap-0.5 align-baseline">
      {href === undefined && <span title={value}>{text}</span>}
      {href !== undefined && <Lead href={href} value={value} text={text} />}
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

/** Within the app without loading it again; a blob is no page of the app, even where the service itself gives it. */
function Lead({ href, value, text }: { readonly href: string; readonly value: string; readonly text: ReactNode }) {
  const { origin, pathname } = new URL(href, location.href);
  if (origin === location.origin && !pathname.startsWith("/v1/")) {
    return (
      <Link href={pathname} title={value}>
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
