// Names and values as rows, and the decoded fields of a Move struct or the arguments of a call as such rows.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Facts, Timestamp } from "#web/ui/text.tsx";

export const Rows = ({ rows }: { readonly rows: Readonly<Record<string, ReactNode>> }) => (
  <Facts
    className="gap-y-0! divide-y divide-line rounded-lg border border-line bg-card px-5 sm:px-6 [&_dd]:untrusted [&_dt]:text-sm"
    row="grid gap-x-6 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]"
    rows={rows}
  />
);

/** An id, digest or type in full. */
export const Code = ({ children }: { readonly children: string }) => (
  <code className="break-all font-mono text-sm">{children}</code>
);

export const fieldRows = (fields: unknown): Readonly<Record<string, ReactNode>> =>
  Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => [
      visible(name),
      <NamedValue key={name} {...{ name, value }} />,
    ]),
  );

/** These are ids and numbers, whatever their text looks like. */
const CODE_FIELDS: ReadonlySet<string> = new Set(["blob_id", "digest", "policy_version", "version", "size"]);

function NamedValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (name.endsWith("_at_ms") && typeof value === "string") {
    return (
      <>
        <Timestamp at={Number(value)} /> <span className="text-soft text-sm">({visible(value)})</span>
      </>
    );
  }
  if (name === "gate" && typeof value === "string" && OBJECT_ID.test(value)) return <LedgerLink id={value} isPublic />;
  if (CODE_FIELDS.has(name) && typeof value === "string") return <Code>{visible(value)}</Code>;
  return <FieldValue value={value} />;
}

/** A decoded value: the id of an object is a link, an array is a list. */
export function FieldValue({ value }: { readonly value: unknown }) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return <TextValue text={value} />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="text-soft">none</span>;
    return (
      <ul className="flex flex-wrap gap-1.5">
        {value.map((element, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements have no other key and never change their order.
          <li key={index} className="untrusted rounded-sm border border-line px-2">
            <FieldValue value={element} />
          </li>
        ))}
      </ul>
    );
  }
  return <Code>{visible(JSON.stringify(value) ?? "")}</Code>;
}

const OBJECT_ID = /^0x[0-9a-f]{64}$/;
const HEX_BYTES = /^(?:0x)?[0-9a-f]{32,}$/;

function TextValue({ text }: { readonly text: string }) {
  if (OBJECT_ID.test(text)) return <LedgerLink id={text} />;
  if (HEX_BYTES.test(text)) return <Code>{text}</Code>;
  return <bdi dir="auto">{visible(text)}</bdi>;
}

interface LedgerLinkProps {
  readonly id: string;
  /** The page of an object, unless it is another. */
  readonly href?: string;
  /** Anyone may read it. The other objects and transactions tell the policy. */
  readonly isPublic?: boolean;
}

/** The id of an object or a transaction, with a link to its page for whoever may read it. */
export function LedgerLink({ id, href = pagePath("ledgerObject", { objectId: id }), isPublic }: LedgerLinkProps) {
  const isReadable = usePermissions().mayOpen("ledger") || isPublic;
  const code = <Code>{id}</Code>;
  return isReadable ? <Link href={href}>{code}</Link> : code;
}
