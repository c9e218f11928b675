import type { VirtualItem } from "@tanstack/react-virtual";
import { memo } from "react";
import type { Policy } from "#core/gate/policy.ts";
import type { Access } from "#web/policy/use-access.ts";
import { GateCell } from "./gate-cell.tsx";
import { noteOf, revokedIn, stateOf } from "./gate-state.ts";
import { AgentHead, ROLES, tabIndexIf } from "./grid-heads.tsx";

interface GateRowProps {
  readonly agentId: string;
  readonly row: number;
  readonly top: number;
  readonly height: number;
  readonly agentWidth: number;
  readonly namespaces: readonly string[];
  /** The columns that are in the page. */
  readonly columns: readonly VirtualItem[];
  readonly policy: Policy;
  readonly access: Access;
  /** The column at which the Tab key stops, if it does in this row. */
  readonly tabStop: number | undefined;
  readonly isInGrid: boolean;
  readonly governs: (namespace: string) => boolean;
  readonly onChange: (agentId: string, namespace: string, allowed: boolean) => void;
  readonly onViewAs: ((agentId: string) => void) | undefined;
}

/** Drawn again only when something of it changes: scrolling down draws the rows that are new. */
export const GateRow = memo(function GateRow(props: GateRowProps) {
  const { agentId, row, top, height, agentWidth, namespaces, columns, policy, access, tabStop, isInGrid } = props;
  const { governs, onChange, onViewAs } = props;
  const isRevoked = revokedIn(policy);
  return (
    <tr
      {...ROLES.row}
      aria-rowindex={row + 2}
      className="absolute inset-x-0 block border-line border-b contain-[size_layout]"
      style={{ top, height }}
    >
      <AgentHead
        {...{ agentId, row, onViewAs }}
        width={agentWidth}
        tabIndexOf={(column) => (isInGrid ? tabIndexIf(tabStop === column) : undefined)}
      />
      {columns.map(({ index, start: left, size: width }) => {
        const namespace = namespaces[index] ?? "";
        const leaf = access.leaf(agentId, namespace);
        const gateState = stateOf(leaf, isRevoked(agentId, namespace));
        const column = index + 1;
        return (
          <GateCell
            key={namespace}
            {...{ agentId, namespace, row, column, left, width, gateState, isInGrid }}
            leafState={leaf.state}
            isOpen={leaf.open}
            note={noteOf(leaf, gateState)}
            isTabStop={tabStop === column}
            onChange={governs(namespace) ? onChange : undefined}
          />
        );
      })}
    </tr>
  );
});
