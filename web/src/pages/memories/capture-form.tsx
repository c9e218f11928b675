// The form that captures a memory. It says before the user sends it that the memory becomes public. An agent captures as
// itself, into the namespaces that its key names.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ProblemError } from "#contract/problem.ts";
import { LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import type { Fact } from "#core/memory.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useOverview } from "#web/api/queries.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { BlobId } from "#web/memory/blob-id.tsx";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select, TextArea } from "#web/ui/form/field.tsx";
import { NameField } from "#web/ui/form/name-field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";

type Faults = { readonly [F in keyof Fact]?: string | undefined };

export function CaptureForm() {
  const { agentId, captures } = usePermissions();
  const [fact, setFact] = useState<Fact>({
    namespace: captures?.[0] ?? "",
    content: "",
    sourceAgent: agentId ?? "",
  });
  const [faults, setFaults] = useState<Faults>({});
  const namespaces = useAgentsAndNamespaces()?.namespaces ?? [];
  const sources = useOverview().data?.memories.bySourceAgent ?? [];
  const capture = useMutation({
    mutationFn: (body: Fact) => client.capture(body),
    onSuccess(_, sent) {
      // A text that the user typed in the meantime is the next memory.
      setFact((before) => (before.content === sent.content ? { ...before, content: "" } : before));
      resetCursorPages(queryKeys.memories);
      invalidate("overview");
    },
    onError: (error) => setFaults(faultsFrom(error)),
  });

  function set(field: keyof Fact, value: string): void {
    setFact((before) => ({ ...before, [field]: value }));
    setFaults((before) => ({ ...before, [field]: undefined }));
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const found = faultsOf(fact);
    setFaults(found);
    const first = FIELDS.find((field) => found[field] !== undefined);
    if (first === undefined) capture.mutate(fact);
    else event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }

  const isShownAtFields = capture.error !== null && FIELDS.some((field) => faults[field] !== undefined);
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {captures === undefined ? (
        <NameField
          label="Namespace"
          name="namespace"
          value={fact.namespace}
          suggestions={namespaces}
          error={faults.namespace}
          onChange={(namespace) => set("namespace", namespace)}
        />
      ) : (
        <NamespaceSelect
          value={fact.namespace}
          namespaces={captures}
          error={faults.namespace}
          onChange={(namespace) => set("namespace", namespace)}
        />
      )}
      {agentId === undefined && (
        <NameField
          label="Source agent"
          name="sourceAgent"
          value={fact.sourceAgent}
          suggestions={sources.map(({ sourceAgent }) => sourceAgent)}
          error={faults.sourceAgent}
          onChange={(sourceAgent) => set("sourceAgent", sourceAgent)}
        />
      )}
      <Content value={fact.content} fault={faults.content} onChange={(content) => set("content", content)} />
      <p className="text-soft text-xs">
        A memory is stored as a <strong className="font-medium text-ink">public blob</strong>. Anyone who has its id can
        read it, and it cannot be withdrawn.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" busy={capture.isPending}>
          {capture.isPending ? "Storing …" : "Capture publicly"}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {capture.data !== undefined && <Captured storeRef={capture.data.memory.storeRef} />}
      </div>
      {capture.error !== null && !isShownAtFields && <ProblemNote error={capture.error} />}
    </form>
  );
}

const FIELDS = ["namespace", "sourceAgent", "content"] as const;

function faultsOf({ namespace, sourceAgent, content }: Fact): Faults {
  return {
    namespace: nameFault(namespace),
    sourceAgent: nameFault(sourceAgent),
    content: textFault(content, LIMITS.content),
  };
}

/** The faults that the service found, by field. */
function faultsFrom(error: unknown): Faults {
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return Object.fromEntries(
    errors.flatMap(({ pointer, detail }) => {
      const field = FIELDS.find((name) => pointer?.endsWith(`/${name}`));
      return field === undefined ? [] : [[field, detail]];
    }),
  );
}

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

interface ContentProps {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

function Content({ value, fault, onChange }: ContentProps) {
  const left = LIMITS.content - Array.from(value).length;
  return (
    <Field label="Memory" error={fault} hint={<Counter left={left} />}>
      {(control) => (
        <TextArea
          {...control}
          name="content"
          rows={4}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="max-h-72 font-serif text-[1.0625rem]"
        />
      )}
    </Field>
  );
}

function Counter({ left }: { readonly left: number }) {
  const used = LIMITS.content - left;
  return (
    <>
      <span className={left < 0 ? "font-mono text-fail" : "font-mono"}>{used.toLocaleString("en")}</span> of{" "}
      <span className="font-mono">{LIMITS.content.toLocaleString("en")}</span> characters
      {left < 0 && `: ${(-left).toLocaleString("en")} too many`}
    </>
  );
}

const Captured = ({ storeRef }: { readonly storeRef: string }) => (
  <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
    <StatusMark status="pass">captured and recorded</StatusMark>
    <span className="inline-flex items-center gap-1.5 text-soft text-xs">
      blob <BlobId blobId={storeRef} />
    </span>
  </p>
);
