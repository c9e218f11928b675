import { useState } from "react";
import { nameFault } from "#core/encoding/text-validation.ts";
import { type Role, roleText } from "#core/identity/principal.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { useSessionState } from "#web/session/session.ts";
import { Form, RunButton, Select, TextArea } from "#web/ui/form.tsx";
import { NameField } from "#web/ui/name-fields.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import type { IssuedKey } from "./key-card.tsx";

const ROLES = [
  ["agent", "Agent: asks and captures as itself"],
  ["auditor", "Auditor: reads metadata, changes nothing"],
  ["namespace-admin", "Admin of some namespaces"],
  ["admin", "Admin: everything"],
] as const;

/** An operator gives no rights inside of one tenant. Its agents act in every one. */
const OPERATORS_ROLES = [
  ["operator", "Operator: creates, suspends and deletes tenants"],
  ["agent", "Agent in every tenant: names the tenant in a header"],
] as const;

const DAY_MS = 86_400_000;
export const EXPIRIES = [
  [0, "never"],
  [1, "in a day"],
  [30, "in 30 days"],
  [90, "in 90 days"],
  [365, "in a year"],
] as const;

interface Draft {
  readonly name: string;
  readonly role: (typeof ROLES | typeof OPERATORS_ROLES)[number][0];
  readonly agentId: string;
  /** One a line: those that an agent captures into, or those that an admin administers. */
  readonly namespaces: string;
  readonly expiresInDays: number;
}

const EMPTY: Draft = { name: "", role: "agent", agentId: "", namespaces: "", expiresInDays: 90 };

export function CreateKeyForm({ onIssued }: { readonly onIssued: (issued: IssuedKey) => void }) {
  const isOperator = useSessionState().session?.role === "operator";
  const empty: Draft = isOperator ? { ...EMPTY, role: "operator" } : EMPTY;
  const [draft, setDraft] = useState(empty);
  const body = bodyOf(draft, isOperator);
  const [showsFaults, setShowsFaults] = useState(false);
  const agents = useAgentsAndNamespaces()?.agents ?? [];
  const creating = useMutation({
    // The mutation has no result, so that the cache does not keep the key.
    async mutationFn() {
      const issued = await client.createKey(body);
      setDraft(empty);
      resetCursorPages(queryKeys.keys);
      onIssued(issued);
    },
  });
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const faults = showsFaults ? faultsOf(draft) : {};

  function submit(form: HTMLFormElement): void {
    const [first] = Object.keys(faultsOf(draft));
    setShowsFaults(first !== undefined);
    if (first === undefined) creating.mutate();
    else form.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }

  return (
    <Form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <NameField label="Name" name="name" value={draft.name} error={faults.name} onChange={(name) => set({ name })} />
      <Select
        label="Role"
        value={draft.role}
        options={isOperator ? OPERATORS_ROLES : ROLES}
        onChange={(role) => set({ role: role as Draft["role"] })}
      />
      {draft.role === "agent" && (
        <NameField
          label="Agent"
          name="agentId"
          value={draft.agentId}
          suggestions={agents}
          error={faults.agentId}
          onChange={(agentId) => set({ agentId })}
        />
      )}
      {(draft.role === "agent" || draft.role === "namespace-admin") && (
        <TextArea
          label={draft.role === "agent" ? "Captures into" : "Namespaces"}
          hint={draft.role === "agent" ? "One namespace a line. Empty: it captures nothing." : "One namespace a line."}
          error={faults.namespaces}
          name="namespaces"
          rows={3}
          value={draft.namespaces}
          onChange={(value) => set({ namespaces: value })}
        />
      )}
      <Select
        label="Expires"
        value={draft.expiresInDays}
        options={EXPIRIES}
        onChange={(days) => set({ expiresInDays: Number(days) })}
      />
      <RunButton type="submit" className="self-start" of={creating} words={["Create the key", "Creating …"]} />
      <AsCode route="createKey" input={{ body }} />
      {creating.error !== null && <ProblemNote error={creating.error} />}
    </Form>
  );
}

const namesIn = (lines: string): string[] =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

type Faults = { readonly [F in "name" | "agentId" | "namespaces"]?: string };

function faultsOf({ name, role, agentId, namespaces }: Draft): Faults {
  const names = namesIn(namespaces);
  const faults = {
    name: nameFault(name),
    agentId: role === "agent" ? nameFault(agentId) : undefined,
    namespaces:
      role === "namespace-admin" && names.length === 0 ? "needs at least one" : names.map(nameFault).find(Boolean),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));
}

function bodyOf({ name, role, agentId, namespaces, expiresInDays }: Draft, isOperator: boolean) {
  const names = namesIn(namespaces);
  return {
    name,
    role: roleText(roleOf(role, agentId, names)),
    ...(role === "agent" && { captures: names }),
    ...(role === "agent" && isOperator && { tenants: "all" as const }),
    ...expiryIn(expiresInDays),
  };
}

/** In so many days; 0: never. */
export const expiryIn = (days: number) =>
  days > 0 ? { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() } : {};

function roleOf(role: Draft["role"], agentId: string, names: readonly string[]): Role {
  if (role === "agent") return { role, agentId, captures: names };
  return role === "namespace-admin" ? { role, namespaces: names } : { role };
}
