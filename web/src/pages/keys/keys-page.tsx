// /keys: the keys of callers. An admin makes, rotates and revokes them. A new secret is shown once.
import { useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { ListEnd } from "#web/ui/list.tsx";
import { PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { type IssuedKey, IssuedKeyNote, KeyCard } from "./key-card.tsx";

const PAGE_SIZE = 50;

export default function KeysPage() {
  const [issued, setIssued] = useState<IssuedKey>();
  return (
    <>
      <PageHeader
        title="Keys"
        lede="Each caller has a key. Its role says what it may do. The service stores only a hash."
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
  const pages = useCursorPages({
    queryKey: queryKeys.keys,
    fetchPage: (page, signal) => client.listKeys(page, { signal }),
    pageSize: PAGE_SIZE,
  });
  return (
    <>
      {pages.isPending && <Skeleton what="the keys" className="h-72" />}
      <ul aria-label="Keys" className="flex flex-col gap-3 empty:hidden">
        {pages.items.map((record) => (
          <li key={record.keyId}>
            <KeyCard record={record} onIssued={onIssued} />
          </li>
        ))}
      </ul>
      <ListEnd pages={pages} more="Show more keys" />
    </>
  );
}
