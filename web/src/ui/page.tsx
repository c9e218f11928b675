// The header of a page, and a section with a heading.

import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { ChevronRight } from "#web/ui/icons.tsx";
import { GateIcon } from "./gate-icon.tsx";
import { CodeBlock, Name } from "./text.tsx";

interface PageHeaderProps {
  readonly title: string;
  /** What kind of thing the page is about, above a title that is a name from outside: "Agent". */
  readonly kind?: string;
  readonly lede?: ReactNode;
  /** Buttons for the whole page, or false. */
  readonly actions?: ReactNode;
}

/** The page's only h1. It takes the focus when the user comes from another page. */
export function PageHeader({ title, kind, lede, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title}${kind === undefined ? "" : ` · ${kind}`} · Portcullis`;
  }, [title, kind]);
  // At once: an address that changes in the meantime is another arrival.
  useLayoutEffect(() => {
    if (arrivedFromAnotherPage()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <div className="min-w-0">
        {kind !== undefined && <p className="eyebrow mb-1">{kind}</p>}
        <h1 ref={heading} tabIndex={-1} className="font-medium font-serif text-2xl tracking-[-0.015em]">
          {kind === undefined ? title : <Name>{title}</Name>}
        </h1>
        {lede !== undefined && <div className="mt-3 max-w-[50rem] text-balance text-soft sm:text-lg">{lede}</div>}
      </div>
      {actions !== undefined && actions !== false && <div className="flex flex-wrap gap-3">{actions}</div>}
    </header>
  );
}

/** A `ref` of what takes the focus when it appears: the button that had it is gone, as a rule. */
export const focusOnce = (element: HTMLElement | null): void => element?.focus();

let lastPath: string | undefined;

/** The next heading takes the focus although the path is the same, as when somebody has signed in. */
export function focusNextHeading(): void {
  if (lastPath !== undefined) lastPath = "";
}

/** False on the first page of a visit, where the browser decides on the focus. */
function arrivedFromAnotherPage(): boolean {
  const arrived = lastPath !== undefined && lastPath !== location.pathname;
  lastPath = location.pathname;
  return arrived;
}

interface SectionProps {
  readonly title: string;
  readonly lede?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Section({ title, lede, actions, children, className = "mt-12" }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id={id} className="font-medium font-serif text-xl">
            {title}
          </h2>
          {lede !== undefined && <p className="measure mt-1 text-sm text-soft">{lede}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

interface FoldProps {
  readonly title: string;
  readonly open?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Fold({ title, open = false, className, children }: FoldProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <details open={open} data-fold className="border-line border-t">
        <summary className="flex min-h-12 list-none items-center justify-between gap-4 [&::-webkit-details-marker]:hidden">
          <h2 id={id} className="font-medium font-serif text-lg">
            {title}
          </h2>
          <ChevronRight className="size-5 flex-none text-soft [details[open]>summary>&]:rotate-90" />
        </summary>
        <div className="pt-2 pb-6">{children}</div>
      </details>
    </section>
  );
}

export const EmptyState = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-6 py-10 text-center">
    <GateIcon open className="size-10 opacity-60" />
    <p className="font-serif text-lg">{title}</p>
    {children !== undefined && <div className="measure text-soft text-sm">{children}</div>}
  </div>
);

interface RecordCardProps {
  readonly name: string;
  readonly mark?: ReactNode;
  /** Once it is true the card takes the focus: the button that had it is gone, and the card says what happened. */
  readonly isFocused?: boolean;
  readonly children: ReactNode;
}

/** One of a list of things with names that others gave: a key, a tenant, a webhook. */
export function RecordCard({ name, mark, isFocused = false, children }: RecordCardProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocused) card.current?.focus();
  }, [isFocused]);
  return (
    <article ref={card} tabIndex={-1} className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 font-medium">
          <Name>{name}</Name>
        </h3>
        {mark}
      </div>
      {children}
    </article>
  );
}

interface DisclosureProps {
  readonly summary: ReactNode;
  /** A function is called when the reader opens it: what it makes costs nothing before. */
  readonly children: ReactNode | (() => ReactNode);
  readonly open?: boolean;
  readonly className?: string;
}

export function Disclosure({ summary, children, open = false, className }: DisclosureProps) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details open={open} className={className} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="-ml-1 inline-flex min-h-7 list-none items-center gap-1 rounded-sm pr-2 text-soft text-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 flex-none [details[open]>summary>&]:rotate-90" aria-hidden="true" />
        {summary}
      </summary>
      <div className="pt-2">{typeof children === "function" ? isOpen && children() : children}</div>
    </details>
  );
}

interface RawContentProps {
  readonly summary: string;
  /** The accessible name of the region; the summary when left out. */
  readonly label?: string;
  readonly text: string;
}

/** Raw bytes or text, hidden until the reader opens them, so that nobody has to trust what a page decoded from them. */
export const RawContent = ({ summary, label = summary, text }: RawContentProps) => (
  <Disclosure summary={summary}>
    <CodeBlock label={label} text={text} />
  </Disclosure>
);

interface SkeletonProps {
  /** What is loading, for screen readers: "the page". */
  readonly what?: string;
  readonly lines?: number;
  readonly className?: string;
}

/** A placeholder while something loads, as high as the content: `lines` of text, or the size in `className`. */
export const Skeleton = ({ what, lines = 1, className }: SkeletonProps) => (
  <>
    {what !== undefined && (
      <span role="status" className="sr-only">
        Loading {what}.
      </span>
    )}
    <div ref={markLoading} aria-hidden="true" className={className}>
      {className === undefined ? (
        Array.from({ length: lines }, (_, line) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never change their order.
            key={line}
            className={`my-2 h-4 rounded-sm bg-well ${line === lines - 1 && lines > 1 ? "w-3/5" : "w-full"}`}
          />
        ))
      ) : (
        <div className="size-full rounded-md bg-well" />
      )}
    </div>
  </>
);

/**
 * A `ref` of a placeholder: its header or section is marked as loading while the placeholder is there, and what follows
 * is invisible (base.css). The style sheet does not look for placeholders itself (`:has`): the browser would compute the
 * styles of a whole table again with each row that is scrolled into sight.
 */
export function markLoading(placeholder: HTMLElement | null): (() => void) | undefined {
  const part = placeholder?.closest("header") ?? placeholder?.parentElement ?? null;
  if (part === null) return;
  count(part, 1);
  return () => count(part, -1);
}

/** A part of the page may have several placeholders. */
function count(part: HTMLElement, change: number): void {
  const loading = Number(part.dataset.loading ?? 0) + change;
  if (loading === 0) delete part.dataset.loading;
  else part.dataset.loading = String(loading);
}
