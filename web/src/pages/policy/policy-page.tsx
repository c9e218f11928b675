// /policy: every gate, a form to add one, the view of an agent, and the change log.
import { useCallback, useRef, useState } from "react";
import { nameFault } from "#core/encoding/text-validation.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useOverview, usePolicy } from "#web/api/queries.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { ChangeStatus } from "#web/policy/agent-gates.tsx";
import { Explain } from "#web/policy/explain.tsx";
import { useAccess } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Button, Form } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { NameField } from "#web/ui/name-fields.tsx";
import { Disclosure, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { Monospace } from "#web/ui/text.tsx";
import { ChangeLog } from "./change-log/change-log.tsx";
import { CompareVersions } from "./change-log/changes.tsx";
import type { Cell, GridHandle } from "./gates/gate-grid.tsx";
import { GateMatrix } from "./gates/gate-matrix.tsx";

export default function PolicyPage() {
  const access = useAccess();
  const policy = usePolicy().data?.policy ?? NO_POLICY;
  const names = useAgentsAndNamespaces();
  const { may } = usePermissions();
  const { data: overview, isPending } = useOverview();
  const reset = isPending ? <Skeleton className="h-11 w-40" /> : overview?.isDemo === true && <ResetDemo />;
  const [changed, setChanged] = useState<Cell>();

  const grid = useRef<GridHandle>(null);
  const { set: setAccess } = access;
  const set = useCallback(
    (agentId: string, namespace: string, allowed: boolean) => {
      setChanged({ agentId, namespace });
      setAccess({ agentId, namespace, allowed });
    },
    [setAccess],
  );

  function retry(): void {
    access.retry();
    // The note with the button goes away.
    if (access.failed !== undefined) grid.current?.focusGate(access.failed);
  }
  return (
    <>
      <PageHeader
        title="Policy"
        lede="Which agent may use which namespace. Closing a gate takes effect at once."
        actions={may("resetDemo") && reset}
      />
      <Section
        title="The gates"
        lede={
          <>
            Version <Monospace className="text-ink">{access.version ?? "…"}</Monospace>.
            {may("setAccess") && (
              <span className="hidden pointer-fine:lg:inline">
                {" "}
                Arrow keys move between gates, Space opens or closes one.
              </span>
            )}
          </>
        }
        className=""
      >
        {access.error !== null && <ProblemNote error={access.error} onRetry={retry} />}
        {names === undefined ? (
          access.error === null && <Skeleton what="the policy" className="mt-4 h-96" />
        ) : (
          <>
            <p role="status" className="my-4 min-h-6 text-sm">
              {changed && <ChangeStatus access={access} {...changed} />}
            </p>
            <GateMatrix policy={policy} {...names} access={access} handle={grid} onChange={set} />
          </>
        )}
      </Section>
      {may("setAccess") && (
        <Section title="Add a gate" lede="For an agent or a namespace that is not in the table yet.">
          <AddGateForm onOpen={({ agentId, namespace }) => set(agentId, namespace, true)} />
        </Section>
      )}
      {may("explain") && (
        <Section title="What would it get, and why?" lede="For a question, without asking a model.">
          <Explain />
        </Section>
      )}
      {may("listPolicyChanges") && (
        <Section title="Change log">
          <Disclosure summary="Compare two versions">{() => <CompareVersions />}</Disclosure>
          <ChangeLog />
        </Section>
      )}
    </>
  );
}

const NO_POLICY = policyFrom([]);

/** Restores the seed memories and the default policy, after a confirmation. */
function ResetDemo() {
  const [isRestored, setRestored] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span role="status" className="empty:hidden">
        {isRestored && <StatusMark status="pass">The demo data is restored.</StatusMark>}
      </span>
      <ActionDialog
        button="Reset demo data …"
        look="quiet"
        title="Reset the demo data?"
        action={["Reset", "Restoring …"]}
        run={() => {
          setRestored(false);
          return client.resetDemo();
        }}
        onDone={() => {
          setRestored(true);
          resetCursorPages(queryKeys.memories);
          invalidate("policy", "policyChanges", "overview");
        }}
        code={<AsCode route="resetDemo" />}
        lede="The service deletes every memory, and restores the demo memories and the default policy."
      >
        <p className="mt-3 text-sm text-soft">Receipts, anchors and public blobs are kept.</p>
      </ActionDialog>
    </div>
  );
}

function AddGateForm({ onOpen }: { readonly onOpen: (cell: Cell) => void }) {
  const { agents = [], namespaces = [] } = useAgentsAndNamespaces() ?? {};
  const { governed } = usePermissions();
  const [cell, setCell] = useState<Cell>({ agentId: "", namespace: governed?.[0] ?? "" });
  const [showsFaults, setShowsFaults] = useState(false);
  const faults = { agentId: nameFault(cell.agentId), namespace: nameFault(cell.namespace) };

  function submit(form: HTMLFormElement): void {
    const first = faults.agentId !== undefined ? "agentId" : faults.namespace !== undefined ? "namespace" : undefined;
    setShowsFaults(first !== undefined);
    if (first !== undefined) form.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    else onOpen(cell);
  }

  return (
    <Form noValidate onSubmit={submit} className="grid max-w-[52rem] items-start gap-4 sm:grid-cols-[1fr_1fr_auto]">
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
    </Form>
  );
}
