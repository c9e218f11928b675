// What stays of a forgotten memory, in words.
import type { ReactNode } from "react";
import type { Reply } from "#contract/routes.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { Forgotten } from "./listed-memory.ts";

type Tombstone = Reply<"getTombstone">["tombstone"];

export function TombstoneNote({ tombstone, anchoredReceipts, publicUntil }: Forgotten) {
  return (
    <div className="text-sm">
      <p className="font-medium font-serif text-[1.0625rem]">Forgotten</p>
      <p className="mt-0.5 text-soft">No recall, list or search gives it any more. A signed tombstone stays.</p>
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
  if (count === 0) return "No receipt that was anchored in the open form quotes it.";
  if (count === 1) return "1 receipt that was anchored in the open form quotes it. It is public, and stays.";
  return `${count.toLocaleString("en")} receipts that were anchored in the open form quote it. They are public, and stay.`;
}

function Inscription({ tombstone }: { readonly tombstone: Tombstone }) {
  const { memoryId, namespace, reason, forgottenAt, signature } = tombstone;
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
      <Row name="Namespace">
        <Name>{namespace}</Name>
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
      return <>when its time was over</>;
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
