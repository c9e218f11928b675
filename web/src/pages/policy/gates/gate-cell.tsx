import { memo } from "react";
import { classNames } from "#web/lib/class-names.ts";
import type { LeafState } from "#web/policy/use-access.ts";
import type { GateState } from "./gate-state.ts";
import { GateStateIcon } from "./gate-state-icon.tsx";
import { ROLES, tabIndexIf } from "./grid-heads.tsx";

interface GateCellProps {
  readonly agentId: string;
  readonly namespace: string;
  readonly row: number;
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** A table without controls has cells, and no grid. */
  readonly isInGrid: boolean;
  readonly leafState: LeafState;
  readonly gateState: GateState;
  readonly isOpen: boolean;
  readonly note: string;
  /** The one cell at which the Tab key stops. */
  readonly isTabStop: boolean;
  /** Left out when the caller may not change the gate. */
  readonly onChange: ((agentId: string, namespace: string, allowed: boolean) => void) | undefined;
}

/** Drawn again only when something of it changes: a scrolled table draws the cells that are new. */
export const GateCell = memo(function GateCell(props: GateCellProps) {
  const {
    agentId,
    namespace,
    row,
    column,
    left,
    width,
    isInGrid,
    leafState,
    gateState,
    isOpen,
    note,
    isTabStop,
    onChange,
  } = props;
  const noteId = `gate-${row}-${column}`;
  const icon = <GateStateIcon state={gateState} className="block size-10" />;
  return (
    <td
      {...(isInGrid ? ROLES.gridCell : ROLES.cell)}
      aria-colindex={column + 1}
      data-row={row}
      data-column={column}
      data-state={leafState === "settled" ? gateState : leafState}
      className="absolute inset-y-0 block px-1 pt-2 text-center"
      style={{ left, width }}
    >
      {onChange === undefined ? (
        <span className={ICON_BOX}>{icon}</span>
      ) : (
        <button
          type="button"
          role="switch"
          aria-checked={isOpen}
          aria-label={`${namespace} for ${agentId}`}
          aria-describedby={noteId}
          tabIndex={tabIndexIf(isTabStop)}
          className={`${ICON_BOX} rounded-md hover:bg-well`}
          onClick={() => onChange(agentId, namespace, !isOpen)}
        >
          {icon}
        </button>
      )}
      <span id={noteId} className={classNames("mx-auto mt-0.5 block max-w-32 text-xs leading-tight", TONES[leafState])}>
        {note}
      </span>
    </td>
  );
});

const ICON_BOX = "mx-auto block size-11 p-0.5";
const TONES = { settled: "text-soft", pending: "text-unknown", final: "font-medium text-ink", failed: "text-fail" };
