// The header of a page, and a section with a heading.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Name } from "./text/untrusted-text.tsx";

interface PageHeaderProps {
  readonly title: string;
  /** What kind of thing the page is about, above a title that is a name from outside: "Agent". */
  readonly kind?: string;
  /** What the page is for, in one or two sentences. */
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
  useEffect(() => {
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
