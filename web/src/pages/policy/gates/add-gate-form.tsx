// The form for a gate of an agent or a namespace that is not in the table yet.

import { type FormEvent, useState } from "react";
import { nameFault } from "#core/encoding/text-validation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select } from "#web/ui/form/field.tsx";
import { NameField } from "#web/ui/form/name-field.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import type { Cell } from "./gate-grid.tsx";

interface AddGateFormProps {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  /** The only namespaces that the caller may change; undefined when it may change all. */
  readonly governed: readonly string[] | undefined;
  readonly onSet: (cell: Cell, allowed: boolean) => void;
}

export function AddGateForm({ agents, namespaces, governed, onSet }: AddGateFormProps) {
  const [cell, setCell] = useState<Cell>({ agentId: "", namespace: governed?.[0] ?? "" });
  const [showsFaults, setShowsFaults] = useState(false);
  const faults = { agentId: nameFault(cell.agentId), namespace: nameFault(cell.namespace) };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const first = faults.agentId !== undefined ? "agentId" : faults.namespace !== undefined ? "namespace" : undefined;
    setShowsFaults(first !== undefined);
    if (first !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    else onSet(cell, submitter?.getAttribute("value") !== "close");
  }

  return (
    <form noValidate onSubmit={submit} className="grid max-w-[52rem] items-start gap-4 sm:grid-cols-[1fr_1fr_auto]">
      <NameField
        label="Agent"
        name="agentId"
        value={cell.agentId}
        suggestions={agents}
        error={showsFaults ? faults.agentId : undefined}
        onChange={(agentId) => setCell({ ...cell, agentId })}
      />
      {governed === undefined ? (
        <NameField
          label="Namespace"
          name="namespace"
          value={cell.namespace}
          suggestions={namespaces}
          error={showsFaults ? faults.namespace : undefined}
          onChange={(namespace) => setCell({ ...cell, namespace })}
        />
      ) : (
        <Field label="Namespace">
          {(control) => (
            <Select
              {...control}
              value={cell.namespace}
              onChange={({ target }) => setCell({ ...cell, namespace: target.value })}
            >
              {governed.map((namespace) => (
                <option key={namespace}>{namespace}</option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <div className="flex gap-3 sm:pt-[1.65rem]">
        <Button type="submit" value="open">
          <GateIcon open className="size-5" />
          Open
        </Button>
        <Button type="submit" value="close">
          <GateIcon open={false} className="size-5" />
          Close
        </Button>
      </div>
      <div className="sm:col-span-3">
        <AsCode route="setAccess" input={{ body: { ...cell, allowed: true } }} />
      </div>
    </form>
  );
}
