// The form that opens a gate for an agent or a namespace that is not in the table yet. It closes none: what was never
// opened is closed.
import { type FormEvent, useState } from "react";
import { nameFault } from "#core/encoding/text-validation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Button } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { NameField } from "#web/ui/name-fields.tsx";
import type { Cell } from "./gate-grid.tsx";

interface AddGateFormProps {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  /** The only namespaces that the caller may change; undefined when it may change all. */
  readonly governed: readonly string[] | undefined;
  readonly onOpen: (cell: Cell) => void;
}

export function AddGateForm({ agents, namespaces, governed, onOpen }: AddGateFormProps) {
  const [cell, setCell] = useState<Cell>({ agentId: "", namespace: governed?.[0] ?? "" });
  const [showsFaults, setShowsFaults] = useState(false);
  const faults = { agentId: nameFault(cell.agentId), namespace: nameFault(cell.namespace) };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const first = faults.agentId !== undefined ? "agentId" : faults.namespace !== undefined ? "namespace" : undefined;
    setShowsFaults(first !== undefined);
    if (first !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    else onOpen(cell);
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
      <NameField
        label="Namespace"
        name="namespace"
        value={cell.namespace}
        suggestions={namespaces}
        only={governed}
        error={showsFaults ? faults.namespace : undefined}
        onChange={(namespace) => setCell({ ...cell, namespace })}
      />
      <div className="sm:pt-[1.65rem]">
        <Button type="submit">
          <GateIcon open className="size-5" />
          Open
        </Button>
      </div>
      <div className="sm:col-span-3">
        <AsCode route="setAccess" input={{ body: { ...cell, allowed: true } }} />
      </div>
    </form>
  );
}
