// The form that captures a memory. It says before the user sends it that the memory becomes public, or that it is encrypted
// because its namespace is sealed. An agent captures as
// itself, into the namespaces that its key names.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Body, Reply } from "#contract/routes.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useIsSealed, useOverview } from "#web/api/queries.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { BlobId } from "#web/memory/blob-id.tsx";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select } from "#web/ui/form/field.tsx";
import { NameField } from "#web/ui/form/name-field.tsx";
import { useReadsNamespace } from "#web/ui/links/namespace-link.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { type CaptureDraft, type Faults, FIELDS, faultsFrom, faultsOf, requestOf } from "./capture-draft.ts";
import { ContentField } from "./content-field.tsx";
import { LifetimeFields } from "./lifetime-fields.tsx";
import { SimilarMemories } from "./similar-memories.tsx";

const NO_LIFETIME = { key: "", expiry: "", days: "", time: "" } as const;

export function CaptureForm() {
  const { agentId, captures } = usePermissions();
  const [draft, setDraft] = useState<CaptureDraft>({
    namespace: captures?.[0] ?? "",
    content: "",
    sourceAgent: agentId ?? "",
    ...NO_LIFETIME,
  });
  const [faults, setFaults] = useState<Faults>({});
  const namespaces = useAgentsAndNamespaces()?.namespaces ?? [];
  const sources = useOverview().data?.memories.bySourceAgent ?? [];
  const isSealed = useIsSealed();
  const readsNamespace = useReadsNamespace();
  const capture = useMutation({
    mutationFn: (body: Body<"capture">) => client.capture(body),
    onSuccess(_, sent) {
      // A text that the user typed in the meantime is the next memory. A key and an expiry are for one fact.
      setDraft((before) => (before.content === sent.content ? { ...before, content: "", ...NO_LIFETIME } : before));
      resetCursorPages(queryKeys.memories);
      invalidate("overview");
    },
    onError: (error) => setFaults(faultsFrom(error)),
  });

  function set(field: keyof CaptureDraft, value: string): void {
    setDraft((before) => ({ ...before, [field]: value }));
    setFaults((before) => ({ ...before, [field]: undefined }));
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const found = faultsOf(draft);
    setFaults(found);
    const first = FIELDS.find((field) => found[field] !== undefined);
    if (first === undefined) capture.mutate(requestOf(draft));
    const control = first && event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`);
    control?.closest("details:not([open])")?.setAttribute("open", "");
    control?.focus();
  }

  const isShownAtFields = capture.error !== null && FIELDS.some((field) => faults[field] !== undefined);
  return (
    <>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {captures === undefined ? (
          <NameField
            label="Namespace"
            name="namespace"
            value={draft.namespace}
            suggestions={namespaces}
            error={faults.namespace}
            onChange={(namespace) => set("namespace", namespace)}
          />
        ) : (
          <NamespaceSelect
            value={draft.namespace}
            namespaces={captures}
            error={faults.namespace}
            onChange={(namespace) => set("namespace", namespace)}
          />
        )}
        {agentId === undefined && (
          <NameField
            label="Source agent"
            name="sourceAgent"
            value={draft.sourceAgent}
            suggestions={sources.map(({ sourceAgent }) => sourceAgent)}
            error={faults.sourceAgent}
            onChange={(sourceAgent) => set("sourceAgent", sourceAgent)}
          />
        )}
        <ContentField value={draft.content} fault={faults.content} onChange={(content) => set("content", content)} />
        <Disclosure summary="Key and expiry">
          <LifetimeFields draft={draft} faults={faults} onChange={set} />
        </Disclosure>
        <p className="text-soft text-xs">
          A memory is stored as a <strong className="font-medium text-ink">public blob</strong>, encrypted if its
          namespace is sealed. Anyone who has its id can fetch it. Forgetting takes back no copy that somebody made.
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" look="primary" busy={capture.isPending}>
            {capture.isPending
              ? "Saving …"
              : SAVE_WORDS.get(readsNamespace(draft.namespace) ? isSealed(draft.namespace) : undefined)}
          </Button>
        </div>
        <AsCode route="capture" input={{ body: requestOf(draft) }} />
        <div role="status" className="empty:hidden">
          {capture.data !== undefined && <Captured storeRef={capture.data.memory.storeRef} />}
        </div>
        {capture.error !== null && !isShownAtFields && <ProblemNote error={capture.error} />}
      </form>
      {capture.data !== undefined && <Similar {...capture.data} />}
    </>
  );
}

/** By whether the namespace is sealed. An agent may capture into one that it may not see, and then nobody tells it. */
const SAVE_WORDS: ReadonlyMap<boolean | undefined, string> = new Map([
  [true, "Save encrypted"],
  [false, "Save as public blob"],
  [undefined, "Save memory"],
]);

const Similar = ({ memory, similar = [] }: Reply<"capture">) =>
  similar.length > 0 && (
    <div className="mt-4">
      <SimilarMemories key={memory.memoryId} captured={memory} similar={similar} />
    </div>
  );

interface NamespaceSelectProps {
  readonly value: string;
  readonly namespaces: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (namespace: string) => void;
}

const NamespaceSelect = ({ value, namespaces, error, onChange }: NamespaceSelectProps) => (
  <Field label="Namespace" error={error}>
    {(control) => (
      <Select {...control} name="namespace" value={value} onChange={({ target }) => onChange(target.value)}>
        {namespaces.map((namespace) => (
          <option key={namespace}>{namespace}</option>
        ))}
      </Select>
    )}
  </Field>
);

const Captured = ({ storeRef }: { readonly storeRef: string }) => (
  <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
    <StatusMark status="pass">saved</StatusMark>
    <span className="inline-flex items-center gap-1.5 text-soft text-xs">
      blob <BlobId blobId={storeRef} />
    </span>
  </p>
);
