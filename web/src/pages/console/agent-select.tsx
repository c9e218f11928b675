import { useState } from "react";
import { LIMITS, nameFault } from "#core/encoding/text-validation.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { Field, Select, TextInput } from "#web/ui/form/field.tsx";

/** No name of an agent has a control character. */
const OTHER = "\u0000other";

interface AgentSelectProps {
  readonly agentId: string;
  readonly onChange: (agentId: string) => void;
}

/** Selects one of the known agents, or any other by its name. */
export function AgentSelect({ agentId, onChange }: AgentSelectProps) {
  const agents = useAgentsAndNamespaces()?.agents ?? [agentId];
  const [isTyping, setTyping] = useState(false);
  const isKnown = agents.includes(agentId);
  return (
    <div className="flex flex-wrap gap-3">
      <Field label="Agent" className="min-w-44 flex-1">
        {(control) => (
          <Select
            {...control}
            value={isTyping ? OTHER : agentId}
            onChange={({ target }) => {
              setTyping(target.value === OTHER);
              onChange(target.value === OTHER ? "" : target.value);
            }}
          >
            {!isTyping && !isKnown && <option>{agentId}</option>}
            {agents.map((agent) => (
              <option key={agent}>{agent}</option>
            ))}
            <option value={OTHER}>other agent …</option>
          </Select>
        )}
      </Field>
      {isTyping && (
        <Field
          label="Agent name"
          className="min-w-44 flex-1"
          error={agentId === "" ? undefined : nameFault(agentId)}
          hint="A new agent may use nothing until you open a gate for it."
        >
          {(control) => (
            <TextInput
              {...control}
              value={agentId}
              maxLength={2 * LIMITS.name}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}
