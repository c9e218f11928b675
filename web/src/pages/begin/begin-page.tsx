// /begin: from nothing to one's own data, in three steps: bring it, look at it, and go on to gates and an agent.

import { useId, useState } from "react";
import { Link, useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { PRODUCTS, type Product } from "#core/transfer/foreign-memories.ts";
import { client, invalidate } from "#web/api/client.ts";
import { useOverview } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { dropZone, useDroppedFile } from "#web/lib/files.ts";
import { useStore } from "#web/lib/store.ts";
import { plural } from "#web/lib/strings.ts";
import { importJob } from "#web/pages/memories/import/import-job.ts";
import { FILE_TYPES, FileFault } from "#web/pages/memories/import/import-lines.ts";
import { ImportProgress } from "#web/pages/memories/import/import-panel.tsx";
import { Button, Checkbox, FileButton, Form, Select, TextArea, TextField } from "#web/ui/form.tsx";
import { asOptions, NameField, NameOptions } from "#web/ui/name-fields.tsx";
import { PageHeader, Section } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { type Brought, type Draft, readExport, readTable, readText } from "./drafts.ts";

export default function BeginPage() {
  const [brought, setBrought] = useState<Brought>();
  return (
    <>
      <PageHeader
        title="Begin with your own"
        lede="Bring your data, look at it, then open gates and connect an agent."
      />
      {brought === undefined ? (
        <Bring onBrought={setBrought} />
      ) : (
        <Preview brought={brought} onAgain={() => setBrought(undefined)} />
      )}
    </>
  );
}

function Bring({ onBrought }: { readonly onBrought: (brought: Brought) => void }) {
  const [text, setText] = useState("");
  const [product, setProduct] = useState("");
  const reading = useMutation({
    mutationFn: (from: File | string) => {
      if (typeof from === "string") return readText(from);
      return product === "" ? readTable(from) : readExport(product as Product, from);
    },
    onSuccess: (found) => found.drafts.length > 0 && onBrought(found),
  });
  const isDragging = useDroppedFile((file) => reading.mutate(file));
  const nothing = reading.data?.drafts.length === 0 ? "There is no memory in it." : undefined;
  const fault = reading.error instanceof FileFault ? reading.error.message : nothing;
  return (
    <Section title="1. Your data" className="max-w-[50rem]">
      <Form onSubmit={() => text.trim() !== "" && reading.mutate(text)} className="flex flex-col items-start gap-3">
        <TextArea label="Paste text or a chat" className="w-full" rows={6} value={text} onChange={setText} />
        <Button type="submit" look="primary" busy={reading.isPending || text.trim() === ""}>
          {reading.isPending ? "Reading …" : "Find the facts"}
        </Button>
      </Form>
      <div className={`${dropZone(isDragging)} mt-8 flex flex-wrap items-end gap-4`}>
        <Select
          label="Or drop a file"
          className="min-w-60 flex-1"
          value={product}
          options={[
            ["", "CSV, JSON or NDJSON"],
            ...asOptions(PRODUCTS).map(([id]) => [id, `Export of ${id}`] as const),
          ]}
          onChange={setProduct}
        />
        <FileButton label="File of memories" accept={`${FILE_TYPES},.md`} onFile={(file) => reading.mutate(file)}>
          Choose a file
        </FileButton>
      </div>
      <div role="alert" className="mt-4 text-fail text-sm empty:hidden">
        {fault}
      </div>
      {reading.error !== null && fault === undefined && <ProblemNote error={reading.error} />}
    </Section>
  );
}

const SHOWN = 100;

function Preview({ brought, onAgain }: { readonly brought: Brought; readonly onAgain: () => void }) {
  const [drafts, setDrafts] = useState(brought.drafts);
  const [keepsDemo, setKeepsDemo] = useState(false);
  const state = useStore(importJob.state);
  const isDemo = useOverview().data?.isDemo === true;
  const [, navigate] = useLocation();
  const list = useId();
  const names = [...new Set(drafts.map(({ namespace }) => namespace))];
  const setNamespace = (namespace: string, of: (draft: Draft) => boolean) =>
    setDrafts(drafts.map((draft) => (of(draft) ? { ...draft, namespace } : draft)));
  const saving = useMutation({
    async mutationFn() {
      const demo = isDemo && !keepsDemo ? await demoNow() : undefined;
      const lines = drafts.map((draft) => `${JSON.stringify(draft)}\n`);
      await importJob.choose(new File(lines, "Your memories"));
      await importJob.start();
      const { status, failed } = importJob.state.get();
      if (status !== "done") return;
      await demo?.remove();
      invalidate("policy", "policyChanges", "overview", "memories");
      if (failed === 0) navigate(pagePath("connect"));
    },
  });
  const hasBegun = saving.isPending || (saving.isSuccess && state.status !== "none");
  return (
    <Section
      title={`2. Namespaces of ${plural(drafts.length, "memory", "memories")}`}
      lede={brought.notes.join(" ") || "Choose the namespace of each. Agents see whole namespaces."}
      className="max-w-[60rem]"
    >
      <NameField
        label="Put all into"
        name="namespace"
        className="mb-4 max-w-72"
        value={names.length === 1 ? (names[0] ?? "") : ""}
        suggestions={names}
        onChange={(namespace) => setNamespace(namespace, () => true)}
      />
      <datalist id={list}>
        <NameOptions names={names} />
      </datalist>
      <table className="w-full text-left text-sm">
        <thead className="text-soft text-xs">
          <tr>
            <th className="py-1 pr-4 font-normal">Memory</th>
            <th className="w-48 py-1 font-normal">Namespace</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-line border-y">
          {drafts.slice(0, SHOWN).map((draft, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the drafts never change their order.
            <tr key={i}>
              <td className="py-1.5 pr-4 font-serif">
                <span dir="auto" className="untrusted line-clamp-2">
                  {draft.content}
                </span>
              </td>
              <td className="py-1.5">
                <TextField
                  label={`Namespace of memory ${i + 1}`}
                  hideLabel
                  list={list}
                  error={nameFault(draft.namespace)}
                  value={draft.namespace}
                  onChange={(namespace) => setNamespace(namespace, (each) => each === draft)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {drafts.length > SHOWN && <p className="mt-2 text-sm text-soft">And {drafts.length - SHOWN} more.</p>}
      {isDemo && (
        <Checkbox className="mt-4" checked={!keepsDemo} onChange={({ target }) => setKeepsDemo(!target.checked)}>
          Remove the demo’s memories and gates
        </Checkbox>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          look="primary"
          busy={
            saving.isPending ||
            state.status === "running" ||
            drafts.some(({ namespace }) => nameFault(namespace) !== undefined)
          }
          onClick={() => saving.mutate()}
        >
          {saving.isPending ? "Saving …" : "Save, then open gates"}
        </Button>
        <Button onClick={onAgain}>Back</Button>
      </div>
      <div className="mt-4 flex flex-col gap-3 empty:hidden">
        {hasBegun && <ImportProgress state={state} />}
        {saving.error !== null && <ProblemNote error={saving.error} onRetry={() => saving.mutate()} />}
        {state.status === "done" && state.failed > 0 && hasBegun && (
          <Link href={pagePath("connect")}>3. Open gates and connect an agent</Link>
        )}
      </div>
    </Section>
  );
}

/** All that the demo has, before anything else comes. */
async function demoNow() {
  const [{ memories }, { policy }] = await Promise.all([client.listMemories({ limit: 100 }), client.getPolicy()]);
  const rules = Object.entries(policy).flatMap(([agentId, own]) =>
    Object.keys(own).map((namespace) => ({ agentId, namespace, allowed: null })),
  );
  return {
    async remove() {
      for (const { memoryId } of memories) await client.forgetMemory({ memoryId }, {});
      if (rules.length > 0) await client.setAccessBatch({ rules });
    },
  };
}
