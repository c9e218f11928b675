// Capturing a memory: a fact, where it belongs, who tells it. It is public once it is sent, and that is said before.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ProblemError } from "#contract/problem.ts";
import { LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import type { Fact } from "#core/memory.ts";
import { client, keys, refresh, useOverview, useService } from "#web/api.ts";
import { useKnown } from "#web/known.ts";
import { blobUrl } from "#web/pages/verify/look/blob.ts";
import { startOver } from "#web/paging.ts";
import { Button } from "#web/ui/button.tsx";
import { Field, TextArea } from "#web/ui/field.tsx";
import { Mark } from "#web/ui/mark.tsx";
import { CopyableId } from "#web/ui/mono.tsx";
import { NameField } from "#web/ui/name-field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";

type Faults = { readonly [F in keyof Fact]?: string | undefined };

export function CaptureForm() {
  const [fact, setFact] = useState<Fact>({ namespace: "", content: "", sourceAgent: "" });
  const [faults, setFaults] = useState<Faults>({});
  const namespaces = useKnown()?.namespaces ?? [];
  const sources = useOverview().data?.memories.bySourceAgent ?? [];
  const capture = useMutation({
    mutationFn: (body: Fact) => client.capture(body),
    onSuccess(_, sent) {
      // What was typed meanwhile is the next fact.
      setFact((before) => (before.content === sent.content ? { ...before, content: "" } : before));
      startOver(keys.memories);
      refresh("overview");
    },
    onError: (error) => setFaults(faultsIn(error)),
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

  const isAtTheFields = capture.error !== null && FIELDS.some((field) => faults[field] !== undefined);
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <NameField
        label="Namespace"
        name="namespace"
        value={fact.namespace}
        known={namespaces}
        fault={faults.namespace}
        onChange={(namespace) => set("namespace", namespace)}
      />
      <NameField
        label="Told by"
        name="sourceAgent"
        value={fact.sourceAgent}
        known={sources.map(({ sourceAgent }) => sourceAgent)}
        fault={faults.sourceAgent}
        onChange={(sourceAgent) => set("sourceAgent", sourceAgent)}
      />
      <Content value={fact.content} fault={faults.content} onChange={(content) => set("content", content)} />
      <p className="text-soft text-xs">
        A memory is stored as a <strong className="font-medium text-ink">public blob</strong>. Whoever has its id can
        read it, and what was sent cannot be called back.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" busy={capture.isPending}>
          {capture.isPending ? "Storing …" : "Capture it, publicly"}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {capture.data !== undefined && <Captured storeRef={capture.data.memory.storeRef} />}
      </div>
      {capture.error !== null && !isAtTheFields && <ProblemNote error={capture.error} />}
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

/** What the service found wrong, at the field that it points to. */
function faultsIn(error: unknown): Faults {
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return Object.fromEntries(
    errors.flatMap(({ pointer, detail }) => {
      const field = FIELDS.find((name) => pointer?.endsWith(`/${name}`));
      return field === undefined ? [] : [[field, detail]];
    }),
  );
}

interface ContentProps {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

function Content({ value, fault, onChange }: ContentProps) {
  const left = LIMITS.content - Array.from(value).length;
  return (
    <Field label="The fact" error={fault} hint={<Counter left={left} />}>
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

function Captured({ storeRef }: { readonly storeRef: string }) {
  const aggregator = useService().data?.blobs.aggregator ?? "";
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <Mark status="pass">captured, and on record</Mark>
      <span className="inline-flex items-center gap-1.5 text-soft text-xs">
        blob <CopyableId value={storeRef} label="blob id" href={blobUrl(aggregator, storeRef)} />
      </span>
    </p>
  );
}
