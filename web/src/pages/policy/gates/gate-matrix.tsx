// The gates there are, or those that somebody searches for.
import { useState } from "react";
import { Empty } from "#web/ui/empty-state.tsx";
import { Field, TextInput } from "#web/ui/form/field.tsx";
import { GateGrid, type GridProps } from "./gate-grid.tsx";

/** More gates than this no eye takes in, and no browser draws gladly: the others can be searched for. */
const MOST = { agents: 40, namespaces: 24 } as const;
const FEW = 10;

export function Matrix({ agents, namespaces, ...rest }: GridProps) {
  const [agentPart, setAgentPart] = useState("");
  const [namespacePart, setNamespacePart] = useState("");
  if (agents.length === 0 || namespaces.length === 0) {
    return <Empty title="No gates yet.">Name an agent and a namespace below to make the first.</Empty>;
  }
  const [fitting, across] = [matching(agents, agentPart), matching(namespaces, namespacePart)];
  const shown = { agents: fitting.slice(0, MOST.agents), namespaces: across.slice(0, MOST.namespaces) };
  return (
    <>
      {(agents.length > FEW || namespaces.length > FEW) && (
        <div className="mb-4 grid max-w-[36rem] gap-3 sm:grid-cols-2">
          <Part label="Find agents" value={agentPart} onChange={setAgentPart} />
          <Part label="Find namespaces" value={namespacePart} onChange={setNamespacePart} />
        </div>
      )}
      {shown.agents.length === 0 || shown.namespaces.length === 0 ? (
        <Empty title="No gate fits that.">An agent or a namespace with such a name is not known.</Empty>
      ) : (
        <GateGrid {...rest} {...shown} />
      )}
      <Left what="agents" shown={shown.agents.length} of={fitting.length} />
      <Left what="namespaces" shown={shown.namespaces.length} of={across.length} />
    </>
  );
}

const matching = (names: readonly string[], part: string): readonly string[] =>
  part === "" ? names : names.filter((name) => name.toLowerCase().includes(part.toLowerCase()));

interface PartProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Part = ({ label, value, onChange }: PartProps) => (
  <Field label={label}>
    {(control) => (
      <TextInput {...control} type="search" value={value} onChange={({ target }) => onChange(target.value)} />
    )}
  </Field>
);

const Left = ({ what, shown, of }: { readonly what: string; readonly shown: number; readonly of: number }) =>
  shown === of ? null : (
    <p className="mt-2 text-soft text-xs">
      {shown} of {of.toLocaleString("en")} {what} are shown; search for the others by name.
    </p>
  );
