// What the pages of a transaction and of an object have in common.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { visible } from "#core/encoding/visible-text.ts";
import { Fold } from "#web/ui/disclosure.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { LOCAL_LEDE } from "./local-ledger-only.tsx";

/** Which one it is, in full, and whose ledger this is. */
export function LocalLede({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <code className="break-all font-mono text-ink text-sm">{visible(id)}</code>
        <CopyButton text={id} what={what} />
      </span>
      <span className="mt-3 block text-base">{LOCAL_LEDE}</span>
    </>
  );
}

export const BackToLedger = () => (
  <p className="mb-4 text-sm">
    <Link href="/ledger">The local ledger</Link>
  </p>
);

type Row = readonly [name: string, value: ReactNode];

export function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-card px-5 sm:px-6">
      {rows.map(([name, value]) => (
        <div key={name} className="grid gap-x-6 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <dt className="text-sm text-soft">{visible(name)}</dt>
          <dd className="outside min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const EXACT: ReadonlySet<string> = new Set(["blob_id", "digest", "policy_version", "version", "size"]);

/** The fields of a struct or the arguments of a call, by their names. */
export const fieldRows = (fields: unknown): Row[] =>
  Object.entries((fields ?? {}) as Readonly<Record<string, unknown>>).map(([name, value]) => [
    name,
    <FieldValue key={name} name={name} value={value} />,
  ]);

function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (name === "anchored_at_ms") {
    return (
      <>
        <Moment at={Number(value)} /> <span className="text-soft text-sm">({visible(String(value))})</span>
      </>
    );
  }
  if (EXACT.has(name) && typeof value === "string") {
    return <code className="break-all font-mono text-sm">{visible(value)}</code>;
  }
  return <Value of={value} />;
}

/** A decoded field: an id leads to its object, a list is a list, a text stays a text. */
export function Value({ of }: { readonly of: unknown }) {
  if (typeof of === "boolean") return of ? "yes" : "no";
  if (typeof of === "string") return <TextValue text={of} />;
  if (Array.isArray(of)) {
    if (of.length === 0) return <span className="text-soft">none</span>;
    return (
      <ul className="flex flex-wrap gap-1.5">
        {of.map((element, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements have no other name, and never move.
          <li key={place} className="outside rounded-sm border border-line px-2">
            <Value of={element} />
          </li>
        ))}
      </ul>
    );
  }
  return <code className="break-all font-mono text-sm">{visible(JSON.stringify(of) ?? "")}</code>;
}

const ID = /^0x[0-9a-f]{64}$/;
const BYTES = /^(?:0x)?[0-9a-f]{32,}$/;

function TextValue({ text }: { readonly text: string }) {
  if (ID.test(text)) return <ObjectLink objectId={text} />;
  if (BYTES.test(text)) return <code className="break-all font-mono text-sm">{text}</code>;
  return <bdi dir="auto">{visible(text)}</bdi>;
}

export const ObjectLink = ({ objectId }: { readonly objectId: string }) => (
  <Link href={`/ledger/object/${objectId}`}>
    <code className="break-all font-mono text-sm">{objectId}</code>
  </Link>
);

export function RawFold({ summary, value }: { readonly summary: string; readonly value: unknown }) {
  return (
    <Fold summary={summary}>
      <section
        aria-label={summary}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-md bg-well px-3.5 py-2.5 print:max-h-none"
      >
        <pre className="outside whitespace-pre-wrap break-all font-mono text-xs">
          {visible(typeof value === "string" ? value : JSON.stringify(value, null, 2))}
        </pre>
      </section>
    </Fold>
  );
}
