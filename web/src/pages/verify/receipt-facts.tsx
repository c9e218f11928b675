// The main facts of a receipt, from the ledger and from its text.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { receiptKind } from "#core/receipt/citations.ts";
import type { OpeningDocument } from "#core/receipt/opening.ts";
import { privatePathsOf, type SealedReceipt } from "#core/receipt/receipt-shape.ts";
import { FILTERS } from "#core/receipt/sealed-form.ts";
import { sealedCount } from "#core/verify/labels.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { Progress, SealedView } from "#core/verify/verify-receipt.ts";
import { fieldName } from "#web/receipt/opening-link.ts";
import { filtersInWords } from "#web/receipt/recall-filters.tsx";
import { StatusMark } from "#web/ui/status.tsx";
import { Facts } from "#web/ui/text.tsx";
import type { ShownVerification } from "./use-verification.ts";

interface ReceiptFactsProps {
  readonly browser: ShownVerification;
  /** The service's link to the transaction in an explorer. */
  readonly explorerUrl: string | undefined;
}

export function ReceiptFacts({ browser: { sources, observation, progress }, explorerUrl }: ReceiptFactsProps) {
  const { chain, receipt, sealed, hasPseudonyms } = progress;
  if (chain === undefined) return null;
  const shown = receipt ?? sealed?.receipt;
  const { object } = observation;
  const txDigest = typeof object === "object" ? object.previousTransaction : null;
  return (
    <Facts
      className="grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-1 [&_dt]:eyebrow"
      row="fact min-w-0 [&:has(ul,code)]:col-span-full"
      rows={{
        [hasPseudonyms ? "Agent, a pseudonym" : "Agent"]: (
          <bdi className="untrusted font-medium">{visible(chain.agent)}</bdi>
        ),
        "Policy on the ledger": `version ${chain.policyVersion}, as of the answer`,
        ...(shown && { [receiptKind(shown) === "recalled" ? "Recalled" : "Answered"]: utcTime(shown.createdAt) }),
        Anchored: utcTime(chain.anchoredAtMs),
        [hasPseudonyms ? "Claimed namespaces, pseudonyms" : "Claimed namespaces"]: <Names names={chain.claimed} />,
        "Closed namespaces": receipt && <Names names={receipt.blockedNamespaces} />,
        "Limited to": isLimited({ ...receipt, ...sealed }) && (
          <bdi className="untrusted">{visible(limitsOf(observation, progress))}</bdi>
        ),
        Transaction: txDigest !== null && (
          <TransactionLink digest={txDigest} isLocal={sources.fullNodes === undefined} explorerUrl={explorerUrl} />
        ),
      }}
    />
  );
}

/** A receipt of others may have anything in place of its evidence. */
function isLimited({ evidence, receipt = evidence }: { readonly evidence?: unknown; readonly receipt?: unknown }) {
  return Object.hasOwn((receipt as Partial<SealedReceipt> | undefined)?.commitments ?? {}, FILTERS);
}

/** What narrowed the recall, where an opening of this receipt discloses it. */
function limitsOf({ opening = "{}" }: Observation, { checks, sealed }: Progress): string {
  const isOpened = checks.some(({ name, status }) => name === "opening" && status === "pass");
  const values = isOpened ? (JSON.parse(opening) as OpeningDocument).values : sealed?.disclosed;
  const filters = new Map(Object.entries(values ?? {})).get(FILTERS);
  return typeof filters === "object" && filters !== null ? filtersInWords(filters) : "sealed";
}

interface TransactionLinkProps {
  readonly digest: string;
  readonly isLocal: boolean;
  /** From the service. Only an http or https URL becomes a link. */
  readonly explorerUrl: string | undefined;
}

function TransactionLink({ digest, isLocal, explorerUrl }: TransactionLinkProps) {
  const text = <code className="break-all font-mono text-xs">{visible(digest)}</code>;
  if (isLocal) return <Link href={pagePath("ledgerTransaction", { digest })}>{text}</Link>;
  if (explorerUrl === undefined || !/^https?:\/\//.test(explorerUrl)) return text;
  return (
    <a href={explorerUrl} rel="noreferrer">
      {text}
    </a>
  );
}

const MAX_NAMES = 24;

export function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <span className="text-soft">none</span>;
  const rest = names.length - MAX_NAMES;
  return (
    <ul className="flex flex-wrap gap-1.5 pt-1">
      {names.slice(0, MAX_NAMES).map((name) => (
        <li key={name} className="untrusted rounded-sm border border-line bg-card px-2 text-sm">
          <bdi>{visible(name)}</bdi>
        </li>
      ))}
      {rest > 0 && <li className="text-sm text-soft">and {rest.toLocaleString("en")} more</li>}
    </ul>
  );
}

/** A time in UTC. A number out of range and a text without a time zone are shown as they are. */
export function utcTime(time: string | number): ReactNode {
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

/** The private fields of a sealed receipt: what is disclosed, and what stays sealed. */
export function DisclosedFields({ sealed }: { readonly sealed: SealedView }) {
  const disclosed = new Map(Object.entries(sealed.disclosed));
  return (
    <>
      <p className="measure text-sm">
        {sealedCount(sealed)}. An opening discloses a field, and no other value fits its commitment. Not sealed: the
        times, the model, the prompt template, the policy version, and the number of memories.
      </p>
      <ol
        data-fields
        className="mt-4 divide-y divide-line overflow-hidden rounded-lg border border-line bg-card text-sm"
      >
        {privatePathsOf(sealed.receipt).map((path) => (
          <li key={path} className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <span className="font-medium">{fieldName(path).join(": ")}</span>
            {disclosed.has(path) ? (
              <span className="untrusted min-w-0 whitespace-pre-wrap break-words" dir="auto">
                {visible(textOf(disclosed.get(path)))}
              </span>
            ) : (
              <StatusMark status="unknown">sealed</StatusMark>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : canonicalJson(value));
