// The form that captures a memory. It says before the user sends it that the memory becomes public, or that it is
// encrypted. An agent captures as itself, into the namespaces that its key names.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Body, Reply } from "#contract/routes.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useIsEncrypted, useOverview, useServiceInfo } from "#web/api/queries.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { BlobId } from "#web/memory/blob.tsx";
import { memoryPath } from "#web/memory/memory-marks.tsx";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { useKeptState } from "#web/session/kept-state.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, Form, Select, TextArea, TextField } from "#web/ui/form.tsx";
import { AgentLink, NamespaceLink, useReadsNamespace } from "#web/ui/links.tsx";
import { NameField } from "#web/ui/name-fields.tsx";
import { Disclosure, focusOnce } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { LongText } from "#web/ui/text.tsx";
import { type CaptureDraft, type Faults, FIELDS, faultsFrom, faultsOf, MAX_DAYS, requestOf } from "./capture-draft.ts";

const NO_LIFETIME = { key: "", expiry: "", days: "", time: "" } as const;

export function CaptureForm() {
  const { agentId, captures } = usePermissions();
  const [draft, setDraft] = useKeptState<CaptureDraft>("capture", () => ({
    namespace: captures?.[0] ?? "",
    content: "",
    sourceAgent: agentId ?? "",
    ...NO_LIFETIME,
  }));
  const [faults, setFaults] = useState<Faults>({});
  const namespaces = useAgentsAndNamespaces()?.namespaces ?? [];
  const sources = useOverview().data?.memories.bySourceAgent ?? [];
  const isEncrypted = useIsEncrypted();
  const readsNamespace = useReadsNamespace();
  const isPublic = useServiceInfo().data?.blobs.kind === "walrus";
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

  const set = (name: keyof CaptureDraft) => (value: string) => {
    setDraft((before) => ({ ...before, [name]: value }));
    setFaults((before) => ({ ...before, [name]: undefined }));
  };
  const field = (name: keyof Faults) => ({ name, value: draft[name], error: faults[name], onChange: set(name) });

  function submit(form: HTMLFormElement): void {
    const found = faultsOf(draft);
    setFaults(found);
    const first = FIELDS.find((field) => found[field] !== undefined);
    if (first === undefined) capture.mutate(requestOf(draft));
    const control = first && form.querySelector<HTMLElement>(`[name=${first}]`);
    control?.closest("details:not([open])")?.setAttribute("open", "");
    control?.focus();
  }

  // An agent may capture into a namespace that it may not see, and then nobody tells it.
  const isKnownEncrypted = readsNamespace(draft.namespace) && isEncrypted(draft.namespace) === true;
  const isShownAtFields = capture.error !== null && FIELDS.some((field) => faults[field] !== undefined);
  return (
    <>
      <Form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <NameField label="Namespace" {...field("namespace")} suggestions={namespaces} only={captures} />
        {agentId === undefined && (
          <NameField
            label="Source agent"
            {...field("sourceAgent")}
            suggestions={sources.map(({ sourceAgent }) => sourceAgent)}
          />
        )}
        <TextArea
          label="Memory"
          hint={draft.content.length > 0.9 * LIMITS.content ? <Counter text={draft.content} /> : undefined}
          rows={4}
          look="max-h-72 font-serif text-[1.0625rem]"
          {...field("content")}
        />
        <Disclosure summary="Key and expiry">
          <div className="flex flex-col gap-4">
            <TextField
              label="Fact key"
              hint="The source agent’s own name for the fact. A later fact with the same fact key supersedes it."
              maxLength={2 * LIMITS.key}
              autoComplete="off"
              spellCheck={false}
              {...field("key")}
            />
            <Select label="Expires" name="expiry" value={draft.expiry} options={EXPIRIES} onChange={set("expiry")} />
            {draft.expiry === "days" && (
              <TextField label="Days" type="number" min={0} max={MAX_DAYS} step="any" {...field("days")} />
            )}
            {draft.expiry === "time" && (
              <TextField label="Day and time" hint="In your time zone." type="datetime-local" {...field("time")} />
            )}
          </div>
        </Disclosure>
        {isPublic && (
          <p className="text-soft text-xs">
            Anyone with its id can fetch it from Walrus, encrypted if its namespace is. Forgetting does not delete
            copies that others made.
          </p>
        )}
        <Button type="submit" look="primary" className="self-start" busy={capture.isPending}>
          {capture.isPending ? "Saving …" : isKnownEncrypted ? "Save encrypted" : "Save memory"}
        </Button>
        <AsCode route="capture" input={{ body: requestOf(draft) }} />
        <div role="status" className="empty:hidden">
          {capture.data !== undefined && <Captured storeRef={capture.data.memory.storeRef} />}
        </div>
        {capture.error !== null && !isShownAtFields && <ProblemNote error={capture.error} />}
      </Form>
      {capture.data?.similar !== undefined && capture.data.similar.length > 0 && (
        <SimilarMemories
          key={capture.data.memory.memoryId}
          captured={capture.data.memory}
          similar={capture.data.similar}
        />
      )}
    </>
  );
}

const EXPIRIES = [
  ["", "As the namespace says"],
  ["days", "In some days"],
  ["time", "At a time"],
] as const;

function Counter({ text }: { readonly text: string }) {
  const used = Array.from(text).length;
  const excess = used - LIMITS.content;
  return (
    <>
      <span className={excess > 0 ? "font-mono text-fail" : "font-mono"}>{used.toLocaleString("en")}</span> of{" "}
      <span className="font-mono">{LIMITS.content.toLocaleString("en")}</span> characters
      {excess > 0 && `: ${excess.toLocaleString("en")} too many`}
    </>
  );
}

const Captured = ({ storeRef }: { readonly storeRef: string }) => (
  <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
    <StatusMark status="pass">saved</StatusMark>
    <span className="inline-flex items-center gap-1.5 text-soft text-xs">
      blob <BlobId blobId={storeRef} />
    </span>
  </p>
);

interface SimilarMemoriesProps {
  readonly captured: Memory;
  readonly similar: NonNullable<Reply<"capture">["similar"]>;
}

function SimilarMemories({ captured, similar }: SimilarMemoriesProps) {
  const { namespace, sourceAgent, content, key, memoryId } = captured;
  const correction = useMutation({
    mutationFn: (supersedes: string) =>
      client.capture({ namespace, sourceAgent, content, supersedes, ...(key !== undefined && { key }) }),
    onSuccess() {
      resetCursorPages(queryKeys.memories);
      invalidate("overview");
    },
  });
  if (correction.isSuccess) {
    return (
      <p ref={focusOnce} tabIndex={-1} className="mt-4 text-sm">
        <StatusMark status="pass">corrected</StatusMark> The earlier memory is superseded. No answer uses it any more.{" "}
        <Link href={memoryPath(correction.variables)}>Show the earlier one</Link>
      </p>
    );
  }
  return (
    <section aria-label="Similar memories" className="mt-4 flex flex-col gap-2 text-sm">
      <p>These say nearly the same:</p>
      <ul className="flex flex-col gap-2">
        {similar.map((each) => (
          <SimilarMemory
            key={each.memoryId}
            memoryId={each.memoryId}
            captured={captured}
            isBusy={correction.isPending}
            onCorrect={() => correction.mutate(each.memoryId)}
          />
        ))}
      </ul>
      {correction.error !== null && <ProblemNote key={memoryId} error={correction.error} />}
    </section>
  );
}

interface SimilarMemoryProps {
  readonly memoryId: string;
  readonly captured: Memory;
  readonly isBusy: boolean;
  readonly onCorrect: () => void;
}

function SimilarMemory({ memoryId, captured, isBusy, onCorrect }: SimilarMemoryProps) {
  const { mayRemove } = usePermissions();
  const { data } = useQuery({
    queryKey: ["memory", memoryId],
    queryFn: () => client.getMemory({ memoryId }),
  });
  const memory = data?.memory;
  if (memory === undefined || memory.supersededBy !== undefined) return null;
  return (
    <li className="rounded-md border border-line bg-card px-3 py-2">
      <p className="text-soft text-xs">
        <NamespaceLink name={memory.namespace} /> from <AgentLink agentId={memory.sourceAgent} />
      </p>
      <LongText className="font-serif">{memory.content}</LongText>
      {memory.namespace === captured.namespace && mayRemove(memory) && (
        <Button look="plain" className="-ml-1.5" busy={isBusy} onClick={onCorrect}>
          Correct this one instead
        </Button>
      )}
    </li>
  );
}
