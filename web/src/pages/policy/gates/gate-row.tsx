import type { VirtualItem } from "@tanstack/react-virtual";
import { memo, useState } from "react";
import { classNames } from "#web/lib/strings.ts";
import type { Access, GateAccess } from "#web/policy/use-access.ts";
import { GateIcon, StillGateIcon } from "#web/ui/gate-icon.tsx";
import { AgentHead, NAME_COLUMN, ROLES, tabIndexIf } from "./grid-heads.tsx";

interface GateRowProps {
  readonly agentId: string;
  readonly row: number;
  readonly top: number;
  readonly height: number;
  readonly agentWidth: number;
  readonly namespaces: readonly string[];
  readonly columns: readonly VirtualItem[];
  readonly access: Access;
  /** The column at which the Tab key stops, if it does in this row. */
  readonly tabStop: number | undefined;
  /** A table without controls has cells, and no grid. */
  readonly isInGrid: boolean;
  readonly governs: (namespace: string) => boolean;
  readonly onChange: (agentId: string, namespace: string, allowed: boolean) => void;
}

/** Drawn again only when something of it changes: scrolling down draws the rows that are new. */
export const GateRow = memo(function GateRow(props: GateRowProps) {
  const { agentId, row, top, height, agentWidth, namespaces, columns, access, tabStop, isInGrid } = props;
  const { governs, onChange } = props;
  return (
    <tr
      {...ROLES.row}
      aria-rowindex={row + 2}
      className="absolute inset-x-0 block border-line border-b contain-[size_layout]"
      style={{ top, height }}
    >
      <AgentHead
        {...{ agentId, row }}
        width={agentWidth}
        tabIndex={isInGrid ? tabIndexIf(tabStop === NAME_COLUMN) : undefined}
      />
      {columns.map(({ index, start: left, size: width }) => {
        const namespace = namespaces[index] ?? "";
        const column = index + 1;
        return (
          <GateCell
            key={namespace}
            {...{ agentId, namespace, row, column, left, width, isInGrid }}
            {...access.gate(agentId, namespace)}
            isTabStop={tabStop === column}
            onChange={governs(namespace) ? onChange : undefined}
          />
        );
      })}
    </tr>
  );
});

interface GateCellProps extends GateAccess, Pick<GateRowProps, "agentId" | "row" | "isInGrid"> {
  readonly namespace: string;
  readonly column: number;
  readonly left: number;
  readonly width: number;
  readonly isTabStop: boolean;
  /** Left out when the caller may not change the gate. */
  readonly onChange: GateRowProps["onChange"] | undefined;
}

/** Drawn again only when something of it changes: a scrolled table draws the cells that are new. */
const GateCell = memo(function GateCell(props: GateCellProps) {
  const { agentId, namespace, row, column, left, width } = props;
  const { isInGrid, state, open, note, isTabStop, onChange } = props;
  const noteId = `gate-${row}-${column}`;
  const icon = <MovingGate open={open} />;
  return (
    <td
      {...(isInGrid ? ROLES.gridCell : ROLES.cell)}
      aria-colindex={column + 1}
      data-row={row}
      data-column={column}
      data-state={state === "settled" ? (open ? "open" : "closed") : state}
      className="absolute inset-y-0 block px-1 pt-2 text-center"
      style={{ left, width }}
    >
      {onChange === undefined ? (
        <span className={ICON_BOX}>{icon}</span>
      ) : (
        <button
          type="button"
          role="switch"
          aria-checked={open}
          aria-label={`${namespace} for ${agentId}`}
          aria-describedby={noteId}
          tabIndex={tabIndexIf(isTabStop)}
          className={`${ICON_BOX} rounded-md hover:bg-well`}
          onClick={() => onChange(agentId, namespace, !open)}
        >
          {icon}
        </button>
      )}
      <span id={noteId} className={classNames("mx-auto mt-0.5 block max-w-32 text-xs leading-tight", TONES[state])}>
        {note}
      </span>
    </td>
  );
});

/** Only a gate that moves gets a grille of its own. */
function MovingGate({ open }: { readonly open: boolean }) {
  const [drawn, setDrawn] = useState({ open, hasMoved: false });
  if (drawn.open !== open) setDrawn({ open, hasMoved: true });
  const Icon = drawn.hasMoved ? GateIcon : StillGateIcon;
  return <Icon open={open} className="block size-10" />;
}

const ICON_BOX = "mx-auto block size-11 p-0.5";
const TONES = { settled: "text-soft", pending: "text-unknown", final: "font-medium text-ink", failed: "text-fail" };
