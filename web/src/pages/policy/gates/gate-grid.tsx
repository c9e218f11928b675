// The table of gates: a row for each agent, a column for each namespace.
import type { Policy } from "#core/gate/policy.ts";
import { useMemoryCounts } from "#web/api/queries.ts";
import { classNames } from "#web/lib/class-names.ts";
import { plural } from "#web/lib/plural.ts";
import { GateSwitch } from "#web/policy/gate-switch.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { noteOf, revokedIn, stateOf } from "./gate-state.ts";
import { GateStateIcon } from "./gate-state-icon.tsx";
import { useGridNavigation } from "./use-grid-navigation.ts";

export interface Cell {
  readonly agentId: string;
  readonly namespace: string;
}

export interface GridProps {
  readonly policy: Policy;
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly access: Access;
  readonly onChange: (cell: Cell, allowed: boolean) => void;
  /** Left out when the caller may not read what an agent may use. */
  readonly onViewAs: ((agentId: string) => void) | undefined;
}

/** Column 0 has the agent. */
const FIRST_GATE = { row: 0, column: 1 };
const HEAD = "sticky bg-card border-line font-normal text-sm";

export function GateGrid({ policy, agents, namespaces, access, onChange, onViewAs }: GridProps) {
  const countOf = useMemoryCounts();
  const { may, governs } = usePermissions();
  const { grid, tabIndexAt } = useGridNavigation(agents.length, namespaces.length + 1, FIRST_GATE);
  const isRevoked = revokedIn(policy);
  const hasControls = may("setAccess") || onViewAs !== undefined;
  return (
    <section
      aria-label="Gates by agent and namespace"
      // A region that scrolls must be reachable with the keyboard.
      {...(!hasControls && { tabIndex: 0 })}
      className="relative max-h-[80dvh] scroll-pt-20 scroll-pl-32 overflow-auto rounded-lg border border-line bg-card sm:scroll-pl-44"
    >
      <table {...(hasControls && { role: "grid", ...grid })} className="w-full border-separate border-spacing-0">
        <caption className="sr-only">
          Which agent may use which namespace.
          {may("setAccess") && " Arrow keys move between the gates, Space opens or closes one."}
        </caption>
        <thead>
          <tr>
            <th
              scope="col"
              className={classNames(
                HEAD,
                "top-0 left-0 z-3 border-r border-b px-3 py-2.5 text-left align-bottom text-soft sm:px-4",
              )}
            >
              Agent
            </th>
            {namespaces.map((namespace) => (
              <th
                key={namespace}
                scope="col"
                className={classNames(HEAD, "top-0 z-2 border-b px-2 py-2.5 text-center align-bottom")}
              >
                <Name className="block font-medium">{namespace}</Name>
                <MemoryCount count={countOf(namespace)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map((agentId, row) => (
            <tr key={agentId} className="group">
              <th
                scope="row"
                data-row={row}
                data-column={0}
                className={classNames(
                  HEAD,
                  "left-0 z-1 w-32 min-w-28 border-r border-b px-3 py-2 text-left align-middle group-last:border-b-0 sm:w-44 sm:min-w-40 sm:px-4",
                )}
              >
                <Name className="block font-medium">{agentId}</Name>
                {onViewAs !== undefined && (
                  <Button
                    look="plain"
                    className="-ml-1.5 text-xs"
                    aria-label={`view as ${agentId}`}
                    tabIndex={tabIndexAt(row, 0)}
                    onClick={() => onViewAs(agentId)}
                  >
                    view as
                  </Button>
                )}
              </th>
              {namespaces.map((namespace, column) => {
                const leaf = access.leaf(agentId, namespace);
                const state = stateOf(leaf, isRevoked(agentId, namespace));
                const note = noteOf(leaf, state);
                return (
                  <td
                    key={namespace}
                    data-row={row}
                    data-column={column + 1}
                    data-state={leaf.state === "settled" ? state : leaf.state}
                    className="min-w-28 border-line border-b px-1 pt-2.5 pb-3 text-center group-last:border-b-0"
                  >
                    <GateSwitch
                      open={leaf.open}
                      name={`${namespace} for ${agentId}`}
                      note={note}
                      tabIndex={tabIndexAt(row, column + 1)}
                      icon={<GateStateIcon state={state} className="size-10" />}
                      onChange={governs(namespace) ? (allowed) => onChange({ agentId, namespace }, allowed) : undefined}
                    />
                    <span
                      aria-hidden="true"
                      className={classNames("mt-0.5 block text-xs leading-tight", TONES[leaf.state])}
                    >
                      {note}
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MemoryCount = ({ count }: { readonly count: number | undefined }) =>
  count !== undefined && <span className="block text-soft text-xs">{plural(count, "memory", "memories")}</span>;

const TONES = { settled: "text-soft", pending: "text-unknown", final: "font-medium text-ink", failed: "text-fail" };
