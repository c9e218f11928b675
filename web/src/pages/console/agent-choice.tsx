import { useState } from "react";
import { LIMITS, nameFault } from "#core/encoding/text-validation.ts";
import { useKnown } from "#web/known.ts";
import { Field, Select, TextInput } from "#web/ui/field.tsx";

const ANOTHER = "\u0000another";

interface AgentChoiceProps {
  readonly agentId: string;
  readonly onChange: (agentId: string) => void;
}

/** One of the agents known, or any other by its name: an agent without a policy may use nothing. */
export function AgentChoice({ agentId, onChange }: AgentChoiceProps) {
  const agents = useKnown()?.agents ?? [agentId];
  const [typing, setTyping] = useState(false);
  const isKnown = agents.includes(agentId);
  return (
    <div className="flex flex-wrap gap-3">
      <Field label="Who asks" className="min-w-44 flex-1">
        {(control) => (
          <Select
            {...control}
            value={typing ? ANOTHER : agentId}
            onChange={({ target }) => {
              setTyping(target.value === ANOTHER);
              onChange(target.value === ANOTHER ? "" : target.value);
            }}
          >
            {!typing && !isKnown && <option>{agentId}</option>}
            {agents.map((agent) => (
              <option key={agent}>{agent}</option>
            ))}
            <option value={ANOTHER}>another agent …</option>
          </Select>
        )}
      </Field>
      {typing && (
        <Field
          label="Its name"
          className="min-w-44 flex-1"
          error={agentId === "" ? undefined : nameFault(agentId)}
          hint="A new agent may use nothing until a gate is opened."
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
