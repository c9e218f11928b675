// The gates of one agent, a switch for each namespace that the caller governs, and the outcome of the last change.

import { useMemo, useRef, useState } from "react";
import type { AccessRule } from "#core/gate/policy.ts";
import { useMemoryCounts } from "#web/api/queries.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { SearchField } from "#web/ui/form.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { EmptyState, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { Monospace, Name, say } from "#web/ui/text.tsx";
import { GateSwitch } from "./gate-switch.tsx";
import { type Access, useAccess } from "./use-access.ts";
import { useAgentsAndNamespaces } from "./use-agents-and-namespaces.ts";
import { byImportance, useKeptOrder } from "./use-kept-order.ts";

interface AgentGatesProps {
  readonly agentId: string;
  readonly layout: "stack" | "row";
  /** How many memories each namespace has, where the caller may know it. A closed gate shows that they stay. */
  readonly sizes?: ReadonlyMap<string, number> | undefined;
}

export function AgentGates({ agentId, layout, sizes }: AgentGatesProps) {
  const access = useAccess();
  const namespaces = useAgentsAndNamespaces()?.namespaces;
  const { may } = usePermissions();

  if (access.error !== null && access.version === undefined) {
    return <ProblemNote error={access.error} onRetry={access.retry} />;
  }
  if (namespaces === undefined) return <Skeleton what="the gates" className={SKELETONS[layout]} />;
  if (namespaces.length === 0) {
    return (
      <EmptyState title="No namespaces yet.">
        {may("setAccess") ? "Capture a memory to create one." : "No gate was opened yet. Ask an admin."}
      </EmptyState>
    );
  }
  // The key takes the order anew for another agent.
  return <Gates key={agentId} {...{ agentId, layout, sizes, access, namespaces }} />;
}

/** As high as the gates of some namespaces. */
const SKELETONS = { stack: "h-[32rem] sm:h-70", row: "h-48 lg:h-84" } as const;
/** A list of more gates scrolls by itself, and has a search. */
const SHOWN_WITHOUT_SEARCH = 18;
/** Gates that are in the page at first. Further ones come when the user scrolls near them. */
const SHOWN_AT_FIRST = 60;

interface GatesProps extends AgentGatesProps {
  readonly access: Access;
  readonly namespaces: readonly string[];
}

function Gates({ agentId, layout, sizes, access, namespaces }: GatesProps) {
  const { may, governs } = usePermissions();
  const countOf = useMemoryCounts();
  const [changed, setChanged] = useState<string>();
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const codeOf = changed ?? namespaces.find(governs);
  const list = useRef<HTMLUListElement>(null);
  // The order is of the moment in which the list opens, so later states do not count.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const sorted = useMemo(
    () => byImportance(namespaces, (name) => access.gate(agentId, name).open, countOf),
    [namespaces],
  );
  const { names } = useKeptOrder(sorted);
  const found = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
  const isLong = names.length > SHOWN_WITHOUT_SEARCH;

  function change(namespace: string, allowed: boolean): void {
    setChanged(namespace);
    access.set({ agentId, namespace, allowed });
  }

  function retry(): void {
    access.retry();
    // The note with the button goes away. The gate says what becomes of the change.
    if (access.failed !== undefined) switchIn(list.current, access.failed.namespace)?.focus();
  }

  return (
    <div>
      {isLong && (
        <SearchField
          label={`Find a namespace, of ${names.length}`}
          value={search}
          onChange={setSearch}
          className="mb-3"
        />
      )}
      <ul
        ref={list}
        className={`${layout === "stack" ? STACKED : "grid grid-cols-2 lg:grid-cols-1"} ${isLong ? SCROLLING : ""}`}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight) setShown(shown + SHOWN_AT_FIRST);
        }}
      >
        {found.slice(0, shown).map((namespace) => {
          const { open, note } = access.gate(agentId, namespace);
          const held = open ? 0 : (sizes?.get(namespace) ?? 0);
          return (
            <li key={namespace} data-namespace={namespace} className="min-w-0">
              <GateSwitch
                open={open}
                note={say(<span className="block">{note}</span>, <Staying memories={held} />)}
                layout={layout}
                name={`${namespace} for ${agentId}`}
                onChange={governs(namespace) ? (allowed) => change(namespace, allowed) : undefined}
              >
                <Name>{namespace}</Name>
              </GateSwitch>
            </li>
          );
        })}
      </ul>
      {found.length === 0 && <p className="text-soft text-sm">No namespace has this name.</p>}
      <p role="status" className="mt-2 min-h-10 text-soft text-xs">
        {changed !== undefined && <ChangeStatus access={access} agentId={agentId} namespace={changed} />}
        {changed === undefined && !may("setAccess") && "An admin opens and closes these gates."}
      </p>
      {access.error !== null && <ProblemNote error={access.error} onRetry={retry} />}
      {codeOf !== undefined && may("setAccess") && (
        <AsCode
          summary="Gate, as code"
          route="setAccess"
          input={{ body: { agentId, namespace: codeOf, allowed: access.gate(agentId, codeOf).open } }}
        />
      )}
    </div>
  );
}

const Staying = ({ memories }: { readonly memories: number }) =>
  memories > 0 && <span className="block text-soft">{plural(memories, "memory", "memories")} held back</span>;

const switchIn = (list: HTMLElement | null, namespace: string) =>
  list?.querySelector<HTMLElement>(`[data-namespace="${CSS.escape(namespace)}"] [role=switch]`);

const STACKED = "grid grid-cols-[repeat(auto-fit,minmax(5.25rem,1fr))] gap-y-2";
// Positioned: what it hides for screen readers alone would otherwise lengthen the page.
const SCROLLING = "relative max-h-96 overflow-y-auto overscroll-contain";

interface ChangeStatusProps extends Omit<AccessRule, "allowed"> {
  readonly access: Access;
}

/** What became of the last change of a gate. */
export function ChangeStatus({ access, agentId, namespace }: ChangeStatusProps) {
  const { open, state, version } = access.gate(agentId, namespace);
  const gate = <NamespaceLink name={namespace} className="font-medium text-ink" />;
  const agent = <AgentLink agentId={agentId} className="font-medium text-ink" />;
  switch (state) {
    case "pending":
      return say(open ? "Opening " : "Closing ", gate, " to ", agent, " …");
    case "failed": {
      const mark = <StatusMark status="fail">Not changed:</StatusMark>;
      return say(mark, " ", gate, ` is still ${open ? "open" : "closed"} to `, agent, ".");
    }
    case "final": {
      const since = <Monospace>{version ?? access.version}</Monospace>;
      const effect = open ? "The next answer may use it." : "No further answer uses it.";
      return say(gate, ` is ${open ? "open" : "closed"} to `, agent, " since policy version ", since, `. ${effect}`);
    }
    default:
      return null;
  }
}
