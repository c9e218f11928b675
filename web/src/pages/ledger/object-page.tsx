// /ledger/object/<id>: one object of the local ledger, decoded, with its bytes.
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { Link } from "wouter";
import { client, keys } from "#web/api/client.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { BackToLedger, fieldRows, LocalLede, RawFold, Rows } from "./field-rows.tsx";
import { type LedgerObject, ownerOf, shortType } from "./ledger-wording.ts";
import { OnLocalLedger } from "./local-ledger-only.tsx";

const TITLE = "Object";

export default function ObjectPage({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) {
  const objectId = params.objectId ?? "";
  return (
    <OnLocalLedger title={TITLE} elsewhere={{ kind: "object", id: objectId }}>
      <Found objectId={objectId} />
    </OnLocalLedger>
  );
}

function Found({ objectId }: { readonly objectId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.ledger, "object", objectId],
    queryFn: ({ signal }) => client.ledgerObject({ objectId }, { signal }),
  });
  const type = data && shortType(data.type);
  return (
    <>
      <BackToLedger />
      <PageHeader
        title={type ?? TITLE}
        lede={<LocalLede id={data?.objectId ?? objectId} what="object id" />}
        actions={type === "gate::Receipt" && <VerifyLink objectId={data?.objectId ?? objectId} />}
      />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && (
        <>
          <Loading what="the object" />
          <Skeleton className="h-96" />
        </>
      )}
      {data !== undefined && <Details object={data} />}
    </>
  );
}

const VerifyLink = ({ objectId }: { readonly objectId: string }) => (
  <Link
    href={`/verify/${objectId}`}
    className="inline-flex min-h-11 items-center gap-2 rounded-md bg-ink px-5 font-medium text-paper text-sm no-underline hover:bg-iron"
  >
    <ShieldCheck className="size-4" aria-hidden="true" />
    Verify this receipt
  </Link>
);

function Details({ object }: { readonly object: LedgerObject }) {
  const { fields, owner, type, version, digest, previousTransaction, content, bcs } = object;
  return (
    <>
      <Rows
        rows={[
          ["Who can change it", ownerOf(owner)],
          ["Version", <Mono key="version">{version}</Mono>],
          [
            "Last changed by",
            <Link key="transaction" href={`/ledger/tx/${previousTransaction}`}>
              <code className="break-all font-mono text-sm">{previousTransaction}</code>
            </Link>,
          ],
          [
            "Type",
            <code key="type" className="break-all font-mono text-sm">
              {type}
            </code>,
          ],
          [
            "Digest",
            <code key="digest" className="break-all font-mono text-sm">
              {digest}
            </code>,
          ],
        ]}
      />
      <Section title="Fields" lede="Of the Move struct: bytes in hex.">
        <Rows rows={fieldRows(fields)} />
      </Section>
      <Section title="As it is kept" lede="So that nobody has to believe the decoding.">
        <RawFold summary="The Move struct (BCS, base64)" value={content} />
        <RawFold summary="The whole object (BCS, base64)" value={bcs} />
      </Section>
    </>
  );
}
