// Changes of gates: as a list, those between two versions of the policy, and the new change that undoes them.

import { useState } from "react";
import { keyOf, policyFrom, type RuleChange } from "#core/gate/policy.ts";
import { client, invalidate } from "#web/api/client.ts";
import { usePolicy } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Button, Form, TextField } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { useFirst } from "#web/ui/list.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { type Change, netOf, transitionOf, undoingOf } from "./policy-versions.ts";

const SHOWN_AT_FIRST = 100;

export function Changes({ changes }: { readonly changes: readonly RuleChange[] }) {
  const [shown, showAll] = useFirst(changes, SHOWN_AT_FIRST);
  return (
    <>
      <ul className="flex flex-col gap-1.5 text-sm">
        {shown.map((change) =>
          change.namespace === "" && change.agentId === "" ? (
            <li key="moved">No gate changed. The version moved past that of the ledger.</li>
          ) : (
            <li key={keyOf(change)} className="flex items-start gap-2">
              <GateIcon open={change.to === true} className="mt-0.5 size-4.5" />
              <span className="min-w-0">
                <NamespaceLink name={change.namespace} className="font-medium" /> for{" "}
                <AgentLink agentId={change.agentId} className="font-medium" />: {transitionOf(change)}
              </span>
            </li>
          ),
        )}
      </ul>
      {showAll}
    </>
  );
}

/** The service takes so many rules as one change. */
const MOST_RULES = 1_000;
const NO_POLICY = policyFrom([]);

/** The button that undoes changes by a new one, for whoever may. It is refused if the policy has moved on meanwhile. */
export function Undo({ what, of }: { readonly what: string; readonly of: readonly RuleChange[] }) {
  const { may, governs } = usePermissions();
  const { policy = NO_POLICY, version: ifVersion } = usePolicy().data ?? {};
  const net = netOf(of);
  const isOwn = may("setAccessBatch") && net.every(({ namespace }) => governs(namespace));
  if (!isOwn || ifVersion === undefined || net.length === 0 || net.length > MOST_RULES) return null;
  const undoing = undoingOf(of, policy);
  const rules = undoing.map(({ agentId, namespace, to }) => ({ agentId, namespace, allowed: to }));
  const body = { rules, ifVersion };
  return (
    <ActionDialog
      button="Undo …"
      label={`Undo ${what}`}
      title={`Undo ${what}?`}
      action={["Undo", "Undoing …"]}
      check={() => (rules.length > 0 ? undefined : "")}
      run={() => client.setAccessBatch(body).finally(() => invalidate("policy", "policyChanges", "overview"))}
      code={<AsCode route="setAccessBatch" input={{ body }} />}
    >
      <p className="mb-3 text-left text-ink text-sm">
        {rules.length === 0 ? "The gates are as they were before it." : "The policy gets a new version:"}
      </p>
      <div className="text-left text-ink">
        <Changes changes={undoing} />
      </div>
    </ActionDialog>
  );
}

const PAGE_SIZE = 1_000;
const MOST_PAGES = 20;

/** All changes after one version up to another, newest first. */
async function changesBetween(after: number, upTo: number) {
  const found: Change[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const reply = await client.listPolicyChanges({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
    found.push(...reply.changes.filter(({ version }) => version > after && version <= upTo));
    cursor = reply.nextCursor;
    if (cursor === undefined || (reply.changes.at(-1)?.version ?? 0) <= after) return { after, upTo, found };
  }
  return { after, upTo, found: undefined };
}

/** The difference between two versions of the policy. */
export function CompareVersions() {
  const newest = usePolicy().data?.version ?? 0;
  const [first, setFirst] = useState<string>();
  const [last, setLast] = useState<string>();
  const versions = [first ?? Math.max(0, newest - 1), last ?? newest].map(Number);
  const comparing = useMutation({ mutationFn: () => changesBetween(Math.min(...versions), Math.max(...versions)) });
  const { data } = comparing;
  const net = netOf(data?.found ?? []);
  const field = (label: string, value: number | undefined, onChange: (value: string) => void) => (
    <TextField label={label} type="number" min={0} required value={value} onChange={onChange} />
  );
  return (
    <>
      <Form
        onSubmit={() => comparing.mutate()}
        className="mb-4 grid max-w-[36rem] items-end gap-4 sm:grid-cols-[1fr_1fr_auto]"
      >
        {field("From version", versions[0], setFirst)}
        {field("To version", versions[1], setLast)}
        <Button type="submit" busy={comparing.isPending} className="justify-self-start">
          Compare
        </Button>
      </Form>
      <div role="status" className="mb-6 flex flex-col items-start gap-2 text-sm empty:hidden">
        {data !== undefined &&
          data.found === undefined &&
          "Too much changed between them. Choose versions closer together."}
        {data?.found !== undefined && (
          <>
            <p>
              From version {data.after} to {data.upTo}:{" "}
              {net.length === 0 ? "no gate differs." : plural(net.length, "gate")}
            </p>
            <Changes changes={net} />
            <Undo what={`versions ${data.after + 1} to ${data.upTo}`} of={data.found} />
          </>
        )}
      </div>
      {comparing.error !== null && <ProblemNote error={comparing.error} />}
    </>
  );
}
