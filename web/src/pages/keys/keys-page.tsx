// /keys: the keys of callers. An admin makes, rotates and revokes them. A new secret is shown once.
import { useEffect, useRef, useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { Button, CopyButton } from "#web/ui/form.tsx";
import { ListEnd } from "#web/ui/list.tsx";
import { PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { Name } from "#web/ui/text.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import type { IssuedKey } from "./key-card.tsx";
import { KeyCard } from "./key-card.tsx";

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
    itemsOf: ({ keys }) => keys,
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

interface IssuedKeyNoteProps {
  readonly issued: IssuedKey;
  readonly onDismiss: () => void;
}

/** A new key, until the admin says that it is stored. It is in this page only, and nobody can show it again. */
function IssuedKeyNote({ issued: { key, record }, onDismiss }: IssuedKeyNoteProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.scrollIntoView({ block: "nearest" });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      aria-labelledby="issued-key"
      className="mb-10 scroll-mt-4 rounded-lg border border-unknown bg-unknown-wash p-5 sm:p-6"
    >
      <h2 ref={heading} id="issued-key" tabIndex={-1} className="scroll-mt-8 font-medium font-serif text-xl">
        The key of <Name>{record.name}</Name>
      </h2>
      <p className="measure mt-1 text-sm">
        Copy it now and keep it safe. <strong className="font-medium">It is not shown again.</strong>
      </p>
      <code className="mt-4 block break-all rounded-md border border-line bg-card px-4 py-3 font-mono text-sm">
        {key}
      </code>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton text={key} what="key" look="quiet" />
        <Button
          onClick={() => {
            // The button is gone with the note.
            document.querySelector("h1")?.focus();
            onDismiss();
          }}
        >
          I have stored it
        </Button>
      </div>
    </section>
  );
}
