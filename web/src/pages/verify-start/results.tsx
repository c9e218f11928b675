// What the page needs once somebody has entered or dropped something: what an id leads to, which is the verification of the
// one anchor, a choice of several, or the public blob of a receipt; and the result for a file.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Link, Redirect } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { parseWitnessPolicy, type WitnessPolicy } from "#core/log/witness-policy.ts";
import { headlineOf, isOnlyConsistent, notShown, summaryOf } from "#core/verify/labels.ts";
import type { VerificationResult } from "#core/verify/verify-receipt.ts";
import { type Bundle, verifyBundle } from "#verification/bundle.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { BLOB_STATES, BlobMark, type BlobState } from "#web/memory/blob.tsx";
import { readSettings, writeSettings } from "#web/pages/verify/reader-settings.ts";
import { STATUS_OF_VERDICT, VERDICT_LOOKS } from "#web/pages/verify/verdict-header.tsx";
import { callerSignal } from "#web/session/session.ts";
import { Button, TextArea } from "#web/ui/form.tsx";
import { Disclosure, Section, Skeleton } from "#web/ui/page.tsx";
import { ClaimsMark, ProblemNote, StatusIcon } from "#web/ui/status.tsx";
import { CopyableId, Timestamp } from "#web/ui/text.tsx";
import { readText } from "./held-file.ts";
import { type FoundAnchor, findAnchors } from "./held-receipt-check.ts";
import { Checks, HeldResult, VerdictBox } from "./held-result.tsx";

export { writeFragment } from "#web/receipt/opening-link.ts";
export { readFile } from "./held-file.ts";
export { HeldResult, readText };

export function FoundResult({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["anchors", id],
    queryFn: () => findAnchors(id, callerSignal()),
    gcTime: 0,
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton what="the receipt" className="h-40" />;
  const onLedger = data.filter(({ kind }) => kind === "ledger");
  const [first, ...others] = onLedger;
  const [blob] = data;
  if (blob === undefined) return <NothingFound />;
  if (first?.receiptId === undefined) return <BlobResult blob={blob} />;
  if (others.length === 0) return <Redirect to={pagePath("verify", { receiptId: first.receiptId })} replace />;
  return <Choice anchors={onLedger} />;
}

const NothingFound = () => (
  <VerdictBox look={VERDICT_LOOKS.unknown} title="No anchored receipt has this id" lede={NEVER_ANCHORED} />
);

const NEVER_ANCHORED =
  "It was never anchored, or not by this service. Check that you copied all of it. If you have the receipt, drop it here as a file to check its signature.";
const SEVERAL =
  "A transaction may carry several, and one receipt may be anchored again, with other claims. The oldest comes first.";

const Choice = ({ anchors }: { readonly anchors: readonly FoundAnchor[] }) => (
  <VerdictBox
    look={VERDICT_LOOKS.pending}
    title={`${anchors.length} receipts on the ledger have this id`}
    lede={SEVERAL}
  >
    <ol className="mt-4 divide-y divide-line">
      {anchors.map(({ receiptId = "", sealed, issued, allAuthorized, anchoredAt }) => (
        <li key={receiptId} className="flex flex-wrap items-center gap-x-5 gap-y-1 py-2 text-sm">
          <CopyableId value={receiptId} label="receipt id" ends={8} href={pagePath("verify", { receiptId })} />
          <ClaimsMark areAuthorized={allAuthorized === true} />
          {sealed && <span className="text-soft text-xs">sealed</span>}
          {!issued && <span className="text-unknown text-xs">not issued here</span>}
          <span className="text-soft text-xs">
            <Timestamp at={anchoredAt} />
          </span>
          <Link
            href={pagePath("verify", { receiptId })}
            className="ml-auto inline-flex min-h-11 items-center font-medium"
          >
            Verify
          </Link>
        </li>
      ))}
    </ol>
  </VerdictBox>
);

/** The text of a receipt that is stored as a blob, and not on the ledger. */
function BlobResult({ blob: { blobId, digest } }: { readonly blob: FoundAnchor }) {
  const { data, refetch } = useQuery({
    queryKey: ["receipt-blob", blobId],
    queryFn: () => readBlob(blobId, digest),
    gcTime: 0,
  });
  if (data === undefined) return <Skeleton what="the receipt" className="h-40" />;
  if (data.text !== undefined) {
    const content = readText(data.text);
    if (content.kind === "receipt") return <HeldResult held={content.held} name={`Blob ${blobId}`} />;
  }
  const [, , meaning] = BLOB_STATES[data.state];
  return (
    <VerdictBox look={VERDICT_LOOKS.pending} title="The receipt’s blob" lede={meaning}>
      <p className="mt-3 flex items-center gap-3">
        <BlobMark state={data.state} />
        <Button look="plain" onClick={() => void refetch()}>
          Check again
        </Button>
      </p>
    </VerdictBox>
  );
}

async function readBlob(blobId: string, digest: string): Promise<{ state: BlobState; text?: string }> {
  const { aggregator } = (await fetchServiceInfo()).blobs;
  const bytes = await fetchBlob(aggregator, blobId, callerSignal());
  if (typeof bytes === "string") return { state: "not-reachable" };
  return digestHex(bytes) === digest
    ? { state: "intact", text: new TextDecoder().decode(bytes) }
    : { state: "altered" };
}

export function BundleResult({ bundle, name }: { readonly bundle: Bundle; readonly name: string }) {
  const [result, setResult] = useState<VerificationResult>();
  const [witnesses, setWitnesses] = useState(() => readSettings(BASE_PATH).witnesses ?? "");
  const { policy, fault } = useMemo(() => policyIn(witnesses), [witnesses]);
  useEffect(() => {
    let isCurrent = true;
    const { trusted } = readSettings(BASE_PATH);
    void verifyBundle(bundle, { trusted, policy }).then((done) => isCurrent && setResult(done));
    return () => {
      isCurrent = false;
    };
  }, [bundle, policy]);
  const choose = (text: string) => {
    setWitnesses(text);
    writeSettings(BASE_PATH, { ...readSettings(BASE_PATH), witnesses: text });
  };
  if (result === undefined) return <Skeleton what="the result" className="h-56" />;
  const { verdict, checks, sealed } = result;
  const isLocal = bundle.network === "local";
  const [store, keeper] = isLocal ? (["mock", "local"] as const) : (["public", "bundle"] as const);
  const ledger = bundle.receiptId === undefined ? "none" : "bundle";
  const isWeak = isOnlyConsistent(verdict, keeper);
  const look = VERDICT_LOOKS[isWeak ? "consistent" : verdict === "verified" ? "pending" : verdict];
  return (
    <>
      <VerdictBox
        data-bundle={verdict}
        look={look}
        icon={<StatusIcon status={STATUS_OF_VERDICT[verdict]} className={`size-14 ${isWeak ? "text-unknown!" : ""}`} />}
        title={headlineOf(verdict, checks, sealed, keeper)}
        lede={summaryOf({ verdict, checks, ledger })}
        name={name}
      >
        <div className="mt-5 border-current/15 border-t pt-5">
          <Checks checks={checks} />
        </div>
      </VerdictBox>
      <Disclosure summary="Logs and witnesses that you trust">
        <TextArea
          label="Policy"
          hint="C2SP tlog-policy, from a source that is not the file. It stays in this browser."
          error={fault}
          rows={6}
          value={witnesses}
          onChange={choose}
        />
      </Disclosure>
      <Section title="What is not shown" className="mt-10">
        <ul className="measure list-disc pl-5 text-sm">
          {notShown({ ...result, ledger, store, hasWitnesses: policy !== undefined }).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function policyIn(text: string): { readonly policy?: WitnessPolicy; readonly fault?: string } {
  try {
    return text.trim() === "" ? {} : { policy: parseWitnessPolicy(text) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
