// The result for a receipt that somebody holds: a verdict, each check, where it is anchored, and a box for the words.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { memoriesSummary } from "#core/receipt/citations.ts";
import { openingOfAll } from "#core/receipt/held-values.ts";
import { type OpeningDocument, readOpening } from "#core/receipt/opening.ts";
import type { AnswerReceipt, ForeignReceipt } from "#core/receipt/receipt.ts";
import { byPath, shownFields } from "#core/receipt/sealed-form.ts";
import { verdictOf } from "#core/verify/check.ts";
import type { HeldReceipt } from "#core/verify/held-receipt.ts";
import { CHECK_TITLE, headlineOf, STATUS_WORD } from "#core/verify/labels.ts";
import { classNames, plural } from "#web/lib/strings.ts";
import HeldValues from "#web/pages/verify/held-values.tsx";
import { Names, utcTime } from "#web/pages/verify/receipt-facts.tsx";
import { VERDICT_LOOKS } from "#web/pages/verify/verdict-header.tsx";
import { writeFragment } from "#web/receipt/opening-link.ts";
import { callerSignal } from "#web/session/session.ts";
import { Disclosure, focusOnce, Section, Skeleton } from "#web/ui/page.tsx";
import { ClaimsMark, ProblemNote, StatusIcon } from "#web/ui/status.tsx";
import { Facts, Timestamp } from "#web/ui/text.tsx";
import { checkHeld, type FoundAnchor, type HeldCheck } from "./held-receipt-check.ts";

interface Holding {
  readonly held: HeldReceipt;
  readonly opening?: string | undefined;
  readonly answer?: string | undefined;
  readonly name: string;
}

export function HeldResult(holding: Holding) {
  const { held, opening, answer } = holding;
  const { data, error, refetch } = useQuery({
    queryKey: ["held-receipt", held.digest],
    queryFn: () => checkHeld(held, callerSignal()),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { receipt, sealed } = held;
  return (
    <>
      {data === undefined && error === null && <Skeleton what="the result" className="h-56" />}
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Verdict holding={holding} result={data} />}
      {receipt !== undefined && (
        <Section title="What it says" className="mt-10">
          <ReceiptContents receipt={receipt} />
        </Section>
      )}
      {data !== undefined && (
        <Section title="Do question and answer belong to it?" className="mt-10">
          <HeldValues
            key={held.digest}
            receipt={receipt ?? { evidence: sealed }}
            memories={NO_MEMORIES}
            held={opening}
            givenAnswer={answer}
          />
        </Section>
      )}
    </>
  );
}

const NO_MEMORIES = new Map();

const { pending: found, failed: fail, unknown } = VERDICT_LOOKS;

/** What is on the ledger is not shown as verified: only the service has said so yet. */
function Verdict({ holding, result: { checks, anchors } }: { readonly holding: Holding; readonly result: HeldCheck }) {
  const onLedger = anchors.filter(({ kind }) => kind === "ledger");
  const { look, title, lede } = verdictWords(checks, anchors);
  const folded = look === "fail" ? checks.filter(({ status }) => status === "pass") : [];
  return (
    <VerdictBox
      data-held={look}
      look={{ found, fail, unknown }[look]}
      icon={<StatusIcon status={look === "found" ? "pending" : look} className="size-14" />}
      {...{ title, lede, name: holding.name }}
    >
      {onLedger.length > 0 && (
        <ul className="mt-5 flex flex-col items-start gap-3">
          {onLedger.map((anchor) => (
            <li key={anchor.receiptId}>
              <OnLedger anchor={anchor} holding={holding} />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5 border-current/15 border-t pt-5">
        <Checks checks={checks.filter((check) => !folded.includes(check))} />
        {folded.length > 0 && (
          <Disclosure summary={`${plural(folded.length, "check")} passed`} className="mt-3">
            <Checks checks={folded} />
          </Disclosure>
        )}
      </div>
    </VerdictBox>
  );
}

interface VerdictBoxProps extends Readonly<Record<"look" | "title" | "lede", string>> {
  readonly "data-held"?: string;
  readonly "data-bundle"?: string;
  readonly icon?: ReactNode;
  /** Of what was brought. */
  readonly name?: string;
  readonly children?: ReactNode;
}

/** The verdict on something that the reader has brought. It takes the focus. */
export const VerdictBox = ({ look, icon, title, lede, name = "", children, ...rest }: VerdictBoxProps) => (
  <section {...rest} className={classNames("rounded-lg border-2 px-5 py-6 sm:px-8", look)}>
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      {icon}
      <div className="min-w-0 flex-1 basis-72">
        <h2 ref={focusOnce} tabIndex={-1} className="font-medium font-serif text-xl">
          {title}
        </h2>
        <p className="measure mt-1">{lede}</p>
        <p className="mt-2 break-all text-sm text-soft empty:hidden">{visible(name)}</p>
      </div>
    </div>
    {children}
  </section>
);

export const Checks = ({ checks }: { readonly checks: HeldCheck["checks"] }) => (
  <ul className="flex flex-col gap-3">
    {checks.map(({ name, index = "", status, sentence }) => (
      <li key={`${name} ${index}`} data-check={name} data-status={status}>
        <p className="flex items-start gap-2.5 font-medium text-sm">
          <StatusIcon status={status} className="mt-0.5 size-4" />
          <span>
            {CHECK_TITLE[name]} <span className="sr-only">{STATUS_WORD[status]}.</span>
          </span>
        </p>
        <p className="untrusted measure pl-6.5 text-sm text-soft">{visible(sentence)}</p>
      </li>
    ))}
  </ul>
);

function verdictWords(checks: HeldCheck["checks"], anchors: HeldCheck["anchors"]) {
  const verdict = verdictOf(checks);
  if (verdict === "failed")
    return {
      look: "fail",
      title: headlineOf(verdict, checks, undefined, "own-node"),
      lede: "Do not rely on this receipt.",
    } as const;
  if (anchors.some(({ kind }) => kind === "ledger")) {
    const lede = "It is the text that was anchored. What the ledger says of it is checked next.";
    return { look: "found", title: "This receipt was anchored", lede } as const;
  }
  if (anchors.length > 0) {
    const lede =
      "Its text is public and unchanged. It is not on a ledger: only the operator says when it was made, and that the policy allowed it.";
    return { look: "unknown", title: "Stored as a public blob", lede } as const;
  }
  const lede =
    "This service knows no anchor of this text. Only its signature speaks for it. Nothing shows when it was made.";
  return { look: "unknown", title: "Not anchored", lede } as const;
}

interface OnLedgerProps {
  readonly anchor: FoundAnchor;
  readonly holding: Holding;
}

function OnLedger({ anchor: { receiptId = "", sealed, allAuthorized, anchoredAt }, holding }: OnLedgerProps) {
  const { data: fragment } = useQuery({
    queryKey: ["held-fragment", holding.held.digest, receiptId],
    queryFn: () => fragmentFor(holding, sealed),
    gcTime: 0,
  });
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <Link
        href={`${pagePath("verify", { receiptId })}${fragment ?? ""}`}
        className="inline-flex min-h-11 items-center rounded-md bg-ink px-5 font-medium text-paper no-underline hover:bg-iron"
      >
        Verify it on the ledger{sealed && ", sealed"}
      </Link>
      <ClaimsMark areAuthorized={allAuthorized === true} />
      <span className="text-soft">
        anchored <Timestamp at={anchoredAt} />
      </span>
    </span>
  );
}

/** Empty if there is nothing to open. */
async function fragmentFor(holding: Holding, isSealed: boolean): Promise<string> {
  const document = openingFor(holding, isSealed);
  return document === undefined ? "" : `#${await writeFragment(document)}`;
}

function openingFor({ held, opening, answer }: Holding, isSealed: boolean): OpeningDocument | undefined {
  const given = opening === undefined ? undefined : readOpening(opening);
  if (held.receipt === undefined || held.signed === undefined) return given;
  const receipt = held.receipt as AnswerReceipt;
  if (given?.seed !== undefined) return openingOfAll(receipt, given.seed, { answer });
  if (given !== undefined || !isSealed) return given;
  // What the holder's form shows discloses the same fields of the sealed one.
  const salts = new Map(Object.entries(receipt.evidence.salts));
  const fields = shownFields(receipt).filter(([path]) => salts.has(path));
  return {
    v: 2,
    salts: byPath(fields.map(([path]) => [path, salts.get(path) ?? ""])),
    values: byPath(fields),
  };
}

const MEMORIES_SHOWN = 12;

function ReceiptContents({ receipt }: { readonly receipt: ForeignReceipt }) {
  const { agentId, createdAt, usedMemories, blockedNamespaces } = receipt;
  const rest = usedMemories.length - MEMORIES_SHOWN;
  return (
    <Facts
      className="gap-x-8 gap-y-4 sm:grid-cols-[8rem_minmax(0,1fr)]"
      rows={{
        Agent: <bdi className="untrusted font-medium">{visible(agentId)}</bdi>,
        Made: utcTime(createdAt),
        Memories: (
          <>
            <p className="text-sm text-soft">{memoriesSummary(receipt)}</p>
            <ul className="mt-1 flex flex-col gap-2">
              {usedMemories.slice(0, MEMORIES_SHOWN).map(({ namespace, snippet, storeRef }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a foreign receipt may name a blob twice, and nothing moves.
                <li key={`${index} ${storeRef}`}>
                  <bdi className="untrusted text-sm text-soft">{visible(namespace)}</bdi>
                  <p className="untrusted measure font-serif text-[1.0625rem] leading-snug" dir="auto">
                    {visible(snippet)}
                  </p>
                </li>
              ))}
              {rest > 0 && <li className="text-sm text-soft">and {rest.toLocaleString("en")} more</li>}
            </ul>
          </>
        ),
        Closed: <Names names={blockedNamespaces} />,
      }}
    />
  );
}
