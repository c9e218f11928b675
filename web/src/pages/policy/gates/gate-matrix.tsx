// The table of all gates, with a search when there are many.
import { useState } from "react";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Field, TextInput } from "#web/ui/form/field.tsx";
import { GateGrid, type GridProps } from "./gate-grid.tsx";

/** A larger table is hard to read and slow to draw. The search finds the others. */
const MAX_SHOWN = { agents: 40, namespaces: 24 } as const;
const MAX_WITHOUT_SEARCH = 10;

export function GateMatrix({ agents, namespaces, ...rest }: GridProps) {
  const mayAdd = usePermissions().may("setAccess");
  const [agentSearch, setAgentSearch] = useState("");
  const [namespaceSearch, setNamespaceSearch] = useState("");
  if (agents.length === 0 || namespaces.length === 0) {
    return (
      <EmptyState title="No gates yet.">
        {mayAdd ? "Enter an agent and a namespace below to add the first." : "An admin opens them."}
      </EmptyState>
    );
  }
  const found = { agents: matching(agents, agentSearch), namespaces: matching(namespaces, namespaceSearch) };
  const shown = {
    agents: found.agents.slice(0, MAX_SHOWN.agents),
    namespaces: found.namespaces.slice(0, MAX_SHOWN.namespaces),
  };
  return (
    <>
      {(agents.length > MAX_WITHOUT_SEARCH || namespaces.length > MAX_WITHOUT_SEARCH) && (
        <div className="mb-4 grid max-w-[36rem] gap-3 sm:grid-cols-2">
          <NameSearch label="Find agents" value={agentSearch} onChange={setAgentSearch} />
          <NameSearch label="Find namespaces" value={namespaceSearch} onChange={setNamespaceSearch} />
        </div>
      )}
      {shown.agents.length === 0 || shown.namespaces.length === 0 ? (
        <EmptyState title="No gate matches.">No agent or no namespace has such a name.</EmptyState>
      ) : (
        <GateGrid {...rest} {...shown} />
      )}
      <HiddenCount what="agents" shown={shown.agents.length} of={found.agents.length} />
      <HiddenCount what="namespaces" shown={shown.namespaces.length} of={found.namespaces.length} />
    </>
  );
}

const matching = (names: readonly string[], search: string): readonly string[] =>
  search === "" ? names : names.filter((name) => name.toLowerCase().includes(search.toLowerCase()));

interface NameSearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const NameSearch = ({ label, value, onChange }: NameSearchProps) => (
  <Field label={label}>
    {(control) => (
      <TextInput {...control} type="search" value={value} onChange={({ target }) => onChange(target.value)} />
    )}
  </Field>
);

const HiddenCount = ({ what, shown, of }: { readonly what: string; readonly shown: number; readonly of: number }) =>
  shown === of ? null : (
    <p className="mt-2 text-soft text-xs">
      {shown} of {of.toLocaleString("en")} {what} are shown. Search for the others by name.
    </p>
  );
