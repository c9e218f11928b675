// What stays of a forgotten memory, in words.

import type { ReactNode } from "react";
import type { Reply } from "#contract/routes.ts";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { Forgotten } from "./listed-memory.ts";

type Tombstone = Reply<"getTombstone">["tombstone"];

export function TombstoneNote({ tombstone, anchoredReceipts, publicUntil }: Forgotten) {
  return (
    <div className="text-sm">
      <p className="font-medium font-serif text-[1.0625rem]">Forgotten</p>
      <p className="mt-0.5 text-soft">It is in no answer, list or search any more. A signed tombstone stays.</p>
      {tombstone !== undefined && <Inscription tombstone={tombstone} />}
      {anchoredReceipts !== undefined && <p className="mt-1.5 text-soft">{quotedBy(anchoredReceipts)}</p>}
      {publicUntil !== undefined && (
        <p className="mt-1.5 text-soft">
          Its public blob stays in the blob store until <Timestamp at={publicUntil} />. It is not renewed.
        </p>
      )}
    </div>
  );
}

function quotedBy(count: number): string {
  if (count === 0) return "No public receipt quotes it.";
  if (count === 1) return "1 public receipt quotes it, and stays public.";
  return `${count.toLocaleString("en")} public receipts quote it, and stay public.`;
}

function Inscription({ tombstone }: { readonly tombstone: Tombstone }) {
  const { memoryId, namespace, reason, forgottenAt, signature } = tombstone;
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
      <Row name="Namespace">
        <NamespaceLink name={namespace} />
      </Row>
      <Row name="Memory">
        <CopyableId value={memoryId} label="memory id" />
      </Row>
      <Row name="When">
        <Timestamp at={forgottenAt} />, <Cause tombstone={tombstone} />
      </Row>
      {reason !== undefined && (
        <Row name="Why">
          <Name>{reason}</Name>
        </Row>
      )}
      <Row name="Signed with key">
        <CopyableId value={signature.keyId} label="key id" />
      </Row>
    </dl>
  );
}

function Cause({ tombstone: { cause, forgottenBy } }: { readonly tombstone: Tombstone }) {
  switch (cause) {
    case "expired":
      return <>when it expired</>;
    case "reset":
      return (
        <>
          by a reset of the service, by <Name>{forgottenBy}</Name>
        </>
      );
    case "sealed":
      return <>when it was captured again as a sealed memory</>;
    case "forgotten":
      return (
        <>
          by <Name>{forgottenBy}</Name>
        </>
      );
  }
}

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="contents">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);
