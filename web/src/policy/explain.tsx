// What an agent would be given for a question, and why; and what keeps other memories from it.

import { useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { client } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Button, Form, Select, TextField } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { MemoryText, NamespaceLink } from "#web/ui/links.tsx";
import { NameOptions } from "#web/ui/name-fields.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { useAgentsAndNamespaces } from "./use-agents-and-namespaces.ts";

/** With a memory, only what becomes of it is shown. */
export function Explain({ memoryId }: { readonly memoryId?: string }) {
  const agents = useAgentsAndNamespaces()?.agents ?? [];
  const [chosen, setChosen] = useState<string>();
  const [query, setQuery] = useState("");
  const agentId = chosen ?? agents[0] ?? "";
  const asked = { agentId, query, ...(memoryId !== undefined && { memoryId }) };
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => client.explain(asked) });
  const shown = data?.memories.filter((each) => memoryId === undefined || each.memoryId === memoryId);
  return (
    <>
      <Form
        onSubmit={() => query.trim() !== "" && agentId !== "" && mutate()}
        className="mb-4 grid max-w-[52rem] items-end gap-4 sm:grid-cols-[12rem_1fr_auto]"
      >
        <Select label="Agent" value={agentId} onChange={setChosen}>
          <NameOptions names={agents} />
        </Select>
        <TextField label="Question" value={query} maxLength={LIMITS.query} required onChange={setQuery} />
        <Button type="submit" busy={isPending} className="justify-self-start">
          Explain
        </Button>
        <div className="sm:col-span-3">
          <AsCode route="explain" input={{ body: asked }} />
        </div>
      </Form>
      {error !== null && <ProblemNote error={error} onRetry={() => mutate()} />}
      <div role="status">
        {shown?.length === 0 && <p className="text-soft text-sm">The question finds nothing.</p>}
        {data?.incomplete && <p className="text-soft text-sm">Of the namespaces that you administer.</p>}
        <ol className="divide-y divide-line border-line border-y empty:hidden">
          {shown?.map((memory) => (
            <ExplainedMemory key={memory.memoryId} {...memory} />
          ))}
        </ol>
      </div>
    </>
  );
}

type Explained = Reply<"explain">["memories"][number];

function ExplainedMemory({ memoryId, namespace, fate, gate, rank, snippet, why = {}, terms = [] }: Explained) {
  const reasons = [
    ...terms.map(({ term, weight }) => `“${term}” ${weight}`),
    ...(why.meaning === undefined ? [] : [`meaning ${why.meaning}`]),
    ...(["date", "pinned", "neighbour", "newest"] as const).filter((reason) => why[reason]),
  ];
  return (
    <li className="py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 text-xs">
        <GateIcon open={fate !== "held-back"} className="size-4" />
        <NamespaceLink name={namespace} className="font-medium" />
        <span className={fate === "given" ? "font-medium text-pass" : "text-iron"}>
          {FATES[fate]}
          {fate === "given" && `, rank ${rank}`}
          {gate !== undefined && ": the gate was closed"}
        </span>
      </p>
      {snippet !== undefined && <MemoryText memoryId={memoryId} text={snippet} className="mt-1" />}
      <p className="untrusted text-soft text-xs empty:hidden">{reasons.join(" · ")}</p>
    </li>
  );
}

const FATES: Readonly<Record<Explained["fate"], string>> = {
  given: "given",
  "held-back": "held back",
  "below-limit": "below the limit: others come first",
  "near-duplicate": "another memory says the same",
  "not-relevant": "too little bears on the question",
  superseded: "superseded",
  expired: "expired",
  forgotten: "forgotten",
};
