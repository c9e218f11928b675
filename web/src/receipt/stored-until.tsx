import { Timestamp } from "#web/ui/text/timestamp.tsx";

/** Until when the proof of a receipt can be fetched, as the service says it. Undefined: the service does not know. */
export function StoredUntil({ until }: { readonly until: string | null | undefined }) {
  if (until === undefined) return <>not known</>;
  if (until === null) return <>as long as this service keeps its records</>;
  const isOver = Date.parse(until) <= Date.now();
  return (
    <>
      {isOver ? "may be gone since" : "until"} <Timestamp at={until} />
      {!isOver && " at least"}
    </>
  );
}
