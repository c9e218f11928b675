// What the receipt is about: what the ledger says of it, and what its own text says.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { visible } from "#core/encoding/visible-text.ts";
import { classes } from "#web/lib/class-names.ts";
import type { Look } from "./browser/verify-in-browser.ts";

export function Facts({ look, explorerUrl }: { readonly look: Look; readonly explorerUrl: string | undefined }) {
  const { where, object, progress } = look;
  const { chain, receipt } = progress;
  if (chain === undefined || where === undefined) return null;
  const txDigest = typeof object === "object" ? object.previousTransaction : null;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-1">
      <Fact name="Agent">
        <bdi className="outside font-medium">{visible(chain.agent)}</bdi>
      </Fact>
      <Fact name="Policy on the ledger">version {chain.policyVersion}</Fact>
      {receipt && <Fact name="Answered">{timeOf(receipt.createdAt)}</Fact>}
      <Fact name="Anchored">{timeOf(chain.anchoredAtMs)}</Fact>
      <Fact name="Claimed namespaces" wide>
        <Names of={chain.claimed} />
      </Fact>
      {receipt && (
        <Fact name="Blocked namespaces" wide>
          <Names of={receipt.blockedNamespaces} />
        </Fact>
      )}
      <Fact name="Ledger">{where.url === undefined ? "local, kept by this service" : `Sui, ${where.network}`}</Fact>
      {txDigest !== null && (
        <Fact name="Transaction" wide>
          <TransactionLink digest={txDigest} isLocal={where.url === undefined} explorerUrl={explorerUrl} />
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, wide = false, children }: FactProps) {
  return (
    <div className={classes("fact min-w-0", wide && "col-span-full")}>
      <dt className="eyebrow">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface TransactionLinkProps {
  readonly digest: string;
  readonly isLocal: boolean;
  /** The service's, for the same transaction. A link is made only of what leads to a page. */
  readonly explorerUrl: string | undefined;
}

function TransactionLink({ digest, isLocal, explorerUrl }: TransactionLinkProps) {
  const text = <code className="break-all font-mono text-xs">{visible(digest)}</code>;
  if (isLocal) return <Link href={`/ledger/tx/${encodeURIComponent(digest)}`}>{text}</Link>;
  if (explorerUrl === undefined || !/^https?:\/\//.test(explorerUrl)) return text;
  return (
    <a href={explorerUrl} rel="noreferrer">
      {text}
    </a>
  );
}

const NAMES_SHOWN = 24;

function Names({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return <span className="text-soft">none</span>;
  const rest = of.length - NAMES_SHOWN;
  return (
    <ul className="flex flex-wrap gap-1.5 pt-1">
      {of.slice(0, NAMES_SHOWN).map((name) => (
        <li key={name} className="outside rounded-sm border border-line bg-card px-2 text-sm">
          <bdi>{visible(name)}</bdi>
        </li>
      ))}
      {rest > 0 && <li className="text-sm text-soft">and {rest.toLocaleString("en")} more</li>}
    </ul>
  );
}

/** A time on the ledger is any u64, also one that no calendar has. A time without an offset is nobody's UTC. */
export function timeOf(time: string | number): ReactNode {
  const date = new Date(typeof time === "number" || /Z|[+-]\d\d:\d\d$/.test(time) ? time : Number.NaN);
  if (Number.isNaN(date.getTime())) return visible(String(time));
  const iso = date.toISOString();
  return (
    <time dateTime={iso} className="font-mono text-sm">
      <span className="whitespace-nowrap">{iso.slice(0, 10)}</span>{" "}
      <span className="whitespace-nowrap">{iso.slice(11, 19)} UTC</span>
    </time>
  );
}
