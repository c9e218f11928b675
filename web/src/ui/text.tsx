// Text that users or models wrote: names, memories, answers. It may be hostile, so its writing direction is isolated
// and it breaks anywhere rather than widen the page.

import { createElement, Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { visible } from "#core/encoding/visible-text.ts";
import { routePath } from "#web/lib/address.ts";
import { classNames } from "#web/lib/strings.ts";
import { CopyButton, useToggle } from "./form.tsx";

/** A sentence of texts and elements. */
export const say = (...parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);

export const Name = ({ children, className }: { readonly children: string; readonly className?: string }) => (
  <bdi dir="auto" className={classNames("untrusted", className)}>
    {children}
  </bdi>
);

interface NameListProps {
  readonly names: readonly string[];
  /** How many there are, where not all of them are given. */
  readonly total?: number | undefined;
}

const MOST_NAMED = 6;

/** "diet, health and work", or "a, b, c, d, e, f and 3 more". */
export function NameList({ names, total = names.length }: NameListProps) {
  const shown = names.slice(0, MOST_NAMED);
  const more = total - shown.length;
  return (
    <>
      {shown.map((name, i) => (
        <span key={name}>
          {i > 0 && (i === shown.length - 1 && more === 0 ? " and " : ", ")}
          <Name>{name}</Name>
        </span>
      ))}
      {more > 0 && ` and ${more.toLocaleString("en")} more`}
    </>
  );
}

const MAX_LENGTH = 280;

interface LongTextProps {
  readonly children: string;
  readonly className?: string | undefined;
  /** The text with markup; the plain text when left out. */
  readonly marked?: ReactNode;
}

export const LongText = ({ children, className, marked = children }: LongTextProps) => (
  <ClampedText length={children.length} maxLength={MAX_LENGTH} clamp="line-clamp-4" className={className}>
    {marked}
  </ClampedText>
);

interface ClampedTextProps {
  readonly length: number;
  readonly maxLength: number;
  readonly clamp: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function ClampedText({ length, maxLength, clamp, className, children }: ClampedTextProps) {
  const [showsAll, toggle] = useToggle(`Show all ${length.toLocaleString("en")} characters`, "Show less");
  const isLong = length > maxLength;
  return (
    <>
      <p dir="auto" className={classNames("untrusted whitespace-pre-line", isLong && !showsAll && clamp, className)}>
        {children}
      </p>
      {isLong && toggle}
    </>
  );
}

/** For numbers, ids and digests. */
export function Monospace({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <span className={classNames("font-mono text-[0.86em]", className)}>{children}</span>;
}

export const Count = ({ value }: { readonly value: number }) => (
  <Monospace className="text-ink">{value.toLocaleString("en")}</Monospace>
);

interface CountedProps {
  readonly value: number;
  readonly one: string;
  readonly many?: string;
}

export const Counted = ({ value, one, many = `${one}s` }: CountedProps) =>
  say(<Count value={value} />, " ", value === 1 ? one : many);

/** A time in the reader's time zone, with the exact time in the title. */
export function Timestamp({ at }: { readonly at: string | number }) {
  const date = new Date(at);
  const iso = Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  if (iso === undefined) return <span>{String(at)}</span>;
  return (
    <time dateTime={iso} title={iso} className="font-mono text-[0.86em]">
      {date.toLocaleDateString() === new Date().toLocaleDateString() ? TIME.format(date) : DAY_AND_TIME.format(date)}
    </time>
  );
}

const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

interface CopyableIdProps {
  readonly value: string;
  readonly label: string;
  /** The number of characters shown at either end. The title has the whole value. */
  readonly ends?: number;
  readonly href?: string | undefined;
}

/** A shortened id or digest with a button that copies the whole value. */
export function CopyableId({ value, label, ends = 6, href }: CopyableIdProps) {
  const text = <Monospace>{shortened(value, ends)}</Monospace>;
  return (
    <span className="inline-flex max-w-full items-center gap-0.5 align-baseline">
      {href === undefined && <span title={value}>{text}</span>}
      {href !== undefined && <IdLink href={href} value={value} text={text} />}
      <CopyButton text={value} what={label} look="icon" />
    </span>
  );
}

/** The router opens pages of the app. The browser opens the rest, also a blob that the service itself serves. */
function IdLink({ href, value, text }: { readonly href: string; readonly value: string; readonly text: ReactNode }) {
  const { origin, pathname } = new URL(href, location.href);
  const path = routePath(pathname);
  const isPage = origin === location.origin && !path.startsWith("/v1/");
  const [To, target] = isPage ? ([Link, path] as const) : (["a", href] as const);
  return (
    <To href={target} title={value}>
      {text}
    </To>
  );
}

function shortened(value: string, ends: number): string {
  return value.length <= 2 * ends + 3 ? value : `${value.slice(0, ends)}…${value.slice(-ends)}`;
}

interface FactsProps {
  /** Values by their names. One that is undefined or false is left out. */
  readonly rows: Readonly<Record<string, ReactNode>>;
  /** Tailwind's classes for the columns, and the size of the text. */
  readonly className: string;
  /** And for each name with its value. */
  readonly row?: string;
}

export const Facts = ({ rows, className, row = "contents" }: FactsProps) => (
  <dl className={classNames("grid gap-x-4 gap-y-1", className)}>
    {Object.entries(rows).map(
      ([name, value]) =>
        value !== undefined &&
        value !== false && (
          <div key={name} className={row}>
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** Code or JSON, to be read and copied. It shows invisible characters, and copies the text as it is. */
export const CodeBlock = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
    tabIndex={0}
    className="raw max-h-96 overflow-auto rounded-md bg-well px-3.5 py-2.5 print:max-h-none"
  >
    <span className="float-right -mt-1 -mr-1.5 ml-3">
      <CopyButton text={text} what={label} />
    </span>
    <pre dir="ltr" className="untrusted whitespace-pre-wrap font-mono text-xs">
      {visible(text)}
    </pre>
  </section>
);
