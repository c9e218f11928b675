// What stays of a forgotten memory, in words.
import type { Reply } from "#contract/routes.ts";
import { NamespaceLink } from "#web/ui/links.tsx";
import { CopyableId, Facts, Name, say, Timestamp } from "#web/ui/text.tsx";
import type { Forgotten } from "./listed-memory.ts";

type Tombstone = Reply<"getTombstone">["tombstone"];

export const TombstoneNote = ({ tombstone, anchoredReceipts, publicUntil }: Forgotten) => (
  <div className="text-sm">
    <p className="font-medium font-serif text-[1.0625rem]">Forgotten</p>
    <p className="mt-0.5 text-soft">No answer, list or search shows it any more. A signed tombstone stays.</p>
    {tombstone !== undefined && <Inscription tombstone={tombstone} />}
    {anchoredReceipts !== undefined && <p className="mt-1.5 text-soft">{quotedBy(anchoredReceipts)}</p>}
    {publicUntil !== undefined && (
      <p className="mt-1.5 text-soft">
        Its public blob stays in the blob store until <Timestamp at={publicUntil} />. It is not renewed.
      </p>
    )}
  </div>
);

function quotedBy(count: number): string {
  if (count === 0) return "No public receipt quotes it.";
  if (count === 1) return "1 public receipt quotes it, and stays public.";
  return `${count.toLocaleString("en")} public receipts quote it, and stay public.`;
}

function Inscription({ tombstone }: { readonly tombstone: Tombstone }) {
  const { memoryId, namespace, reason, forgottenAt, signature, cause, forgottenBy } = tombstone;
  const by = say(cause === "reset" && "by a reset of the service, ", "by ", <Name>{forgottenBy}</Name>);
  const [expired, encrypted] = ["when it expired", "when its namespace was encrypted"];
  const how = cause === "expired" ? expired : cause === "encrypted" ? encrypted : by;
  return (
    <Facts
      className="mt-2 grid-cols-[auto_minmax(0,1fr)] text-xs"
      rows={{
        Namespace: <NamespaceLink name={namespace} />,
        Memory: <CopyableId value={memoryId} label="memory id" />,
        When: say(<Timestamp at={forgottenAt} />, ", ", how),
        Why: reason !== undefined && <Name>{reason}</Name>,
        "Signed with key": <CopyableId value={signature.keyId} label="key id" />,
      }}
    />
  );
}
