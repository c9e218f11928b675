// A gate for an agent or a namespace that is not in the matrix yet.
import { type FormEvent, useState } from "react";
import { nameFault } from "#core/encoding/text-validation.ts";
import { Button } from "#web/ui/button.tsx";
import { Gate } from "#web/ui/gate.tsx";
import { NameField } from "#web/ui/name-field.tsx";
import type { Cell } from "./gate-grid.tsx";

interface GateByNameProps {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly onSet: (cell: Cell, allowed: boolean) => void;
}

export function GateByName({ agents, namespaces, onSet }: GateByNameProps) {
  const [cell, setCell] = useState<Cell>({ agentId: "", namespace: "" });
  const [isTold, setTold] = useState(false);
  const faults = { agentId: nameFault(cell.agentId), namespace: nameFault(cell.namespace) };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const first = faults.agentId !== undefined ? "agentId" : faults.namespace !== undefined ? "namespace" : undefined;
    setTold(first !== undefined);
    if (first !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    else onSet(cell, submitter?.getAttribute("value") !== "close");
  }

  return (
    <form noValidate onSubmit={submit} className="grid max-w-[52rem] items-start gap-4 sm:grid-cols-[1fr_1fr_auto]">
      <NameField
        label="Agent"
        name="agentId"
        value={cell.agentId}
        known={agents}
        fault={isTold ? faults.agentId : undefined}
        onChange={(agentId) => setCell({ ...cell, agentId })}
      />
      <NameField
        label="Namespace"
        name="namespace"
        value={cell.namespace}
        known={namespaces}
        fault={isTold ? faults.namespace : undefined}
        onChange={(namespace) => setCell({ ...cell, namespace })}
      />
      <div className="flex gap-3 sm:pt-[1.65rem]">
        <Button type="submit" value="open">
          <Gate open className="size-5" />
          Open
        </Button>
        <Button type="submit" value="close">
          <Gate open={false} className="size-5" />
          Close
        </Button>
      </div>
    </form>
  );
}
