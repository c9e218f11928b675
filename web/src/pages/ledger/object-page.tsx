// /ledger/object/<id>: one object of the local ledger, decoded and as raw bytes.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { ShieldCheck } from "#web/ui/icons.tsx";
import { RawContent, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Monospace } from "#web/ui/text.tsx";
import { Code, fieldRows, LedgerLink, Rows } from "./field-rows.tsx";
import { EntityHeader, type LedgerObject, LocalLedgerOnly, ownerText, shortType } from "./local-ledger.tsx";

const TITLE = "Object";

export default function ObjectPage({ params: { objectId } }: { readonly params: PageParams<"ledgerObject"> }) {
  return (
    <LocalLedgerOnly title={TITLE} target={{ kind: "object", id: objectId }}>
      <LocalObject objectId={objectId} />
    </LocalLedgerOnly>
  );
}

function LocalObject({ objectId }: { readonly objectId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.ledger, "object", objectId],
    queryFn: () => client.ledgerObject({ objectId }),
  });
  const type = data && shortType(data.type);
  const id = data?.objectId ?? objectId;
  return (
    <>
      <EntityHeader
        title={type ?? TITLE}
        id={id}
        idLabel="object id"
        actions={type === "gate::Receipt" && <VerifyLink receiptId={id} />}
      />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton what="the object" className="h-96" />}
      {data !== undefined && <Details object={data} />}
    </>
  );
}

const VerifyLink = ({ receiptId }: { readonly receiptId: string }) => (
  <Link
    href={pagePath("verify", { receiptId })}
    className="inline-flex min-h-11 items-center gap-2 rounded-md bg-ink px-5 font-medium text-paper text-sm no-underline hover:bg-iron"
  >
    <ShieldCheck className="size-4" />
    Verify this receipt
  </Link>
);

function Details({ object }: { readonly object: LedgerObject }) {
  const { fields, owner, type, version, digest, previousTransaction, content, bcs } = object;
  return (
    <>
      <Rows
        rows={{
          "Who can change it": ownerText(owner),
          Version: <Monospace>{version}</Monospace>,
          "Last changed by": (
            <LedgerLink
              id={previousTransaction}
              href={pagePath("ledgerTransaction", { digest: previousTransaction })}
              // It anchored a receipt. Another one may have changed the policy.
              isPublic={shortType(type) === "gate::Receipt"}
            />
          ),
          Type: <Code>{type}</Code>,
          Digest: <Code>{digest}</Code>,
        }}
      />
      <Section title="Fields" lede="The fields of the Move struct. Bytes are in hex.">
        <Rows rows={fieldRows(fields)} />
      </Section>
      <Section title="Raw bytes" lede="Decode them yourself to check this page.">
        <RawContent summary="The Move struct (BCS, base64)" text={content} />
        <RawContent summary="The whole object (BCS, base64)" text={bcs} />
      </Section>
    </>
  );
}
