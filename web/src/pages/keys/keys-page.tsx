// /keys: the keys of callers. An admin makes, rotates and revokes them. A new secret is shown once.
import { useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { Button } from "#web/ui/form/button.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { IssuedKeyNote } from "./issued-key-note.tsx";
import { KeyCard } from "./key-card.tsx";
import type { IssuedKey, KeyRecord } from "./key-record.ts";

const PAGE_SIZE = 50;

export default function KeysPage() {
  const [issued, setIssued] = useState<IssuedKey>();
  return (
    <>
      <PageHeader
        title="Keys"
        lede="Whoever calls this service shows a key. Its role says what it may do. The service stores only a hash of it."
      />
      {issued !== undefined && (
        <IssuedKeyNote key={issued.key} issued={issued} onDismiss={() => setIssued(undefined)} />
      )}
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Section title="Create a key" className="lg:self-start">
          <CreateKeyForm onIssued={setIssued} />
        </Section>
        <Section title="All keys" className="min-w-0">
          <KeyList onIssued={setIssued} />
        </Section>
      </div>
    </>
  );
}

function KeyList({ onIssued }: { readonly onIssued: (issued: IssuedKey) => void }) {
  const [wanted, setWanted] = useState(PAGE_SIZE);
  const { items, isPending, isFetchingMore, hasMore, error, retry } = useCursorPages<KeyRecord>({
    queryKey: queryKeys.keys,
    fetchPage: async (page, signal) => {
      const { keys, nextCursor } = await client.listKeys(page, { signal });
      return { items: keys, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted,
  });
  return (
    <>
      {isPending && <Skeleton what="the keys" className="h-72" />}
      <ul aria-label="Keys" className="flex flex-col gap-3 empty:hidden">
        {items.map((record) => (
          <li key={record.keyId}>
            <KeyCard record={record} onIssued={onIssued} />
          </li>
        ))}
      </ul>
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {hasMore && error === null && (
        <Button className="mt-4" busy={isFetchingMore} onClick={() => setWanted(items.length + PAGE_SIZE)}>
          Show more keys
        </Button>
      )}
    </>
  );
}
