// The heads of the table of gates. They stay in sight while the gates scroll.
import { memo } from "react";
import { plural } from "#web/lib/strings.ts";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";

/**
 * Rows and cells of a virtual table are blocks with a place of their own, and a browser may take blocks for no table. So
 * their roles are said again.
 */
export const ROLES = {
  group: { role: "rowgroup" },
  row: { role: "row" },
  columnHead: { role: "columnheader" },
  rowHead: { role: "rowheader" },
  gridCell: { role: "gridcell" },
  cell: { role: "cell" },
} as const;

/** The places of the heads for the arrow keys: above the first row, and left of the first gate. */
export const HEAD_ROW = -1;
export const NAME_COLUMN = 0;

/** Of the controls of a grid, one has the tab stop. */
export const tabIndexIf = (isTabStop: boolean): number => (isTabStop ? 0 : -1);

export const HEAD = "block bg-card border-line text-left font-normal text-sm";

export const Corner = ({ width }: { readonly width: number }) => (
  <th
    {...ROLES.columnHead}
    scope="col"
    aria-colindex={1}
    className={`${HEAD} sticky left-0 z-1 h-full content-end border-r px-3 pb-2.5 text-soft sm:px-4`}
    style={{ width }}
  >
    Agent
  </th>
);

interface NamespaceHeadProps {
  readonly namespace: string;
  readonly column: number;
  /** Undefined for a caller who may not know it. */
  readonly count: number | undefined;
  readonly left: number;
  readonly width: number;
  /** Undefined in a table that is no grid. */
  readonly tabIndex: number | undefined;
}

export const NamespaceHead = memo(({ namespace, column, count, left, width, tabIndex }: NamespaceHeadProps) => (
  <th
    {...ROLES.columnHead}
    scope="col"
    aria-colindex={column + 1}
    data-row={HEAD_ROW}
    data-column={column}
    title={namespace}
    className="absolute bottom-2.5 block px-2 text-center font-normal text-sm leading-snug"
    style={{ left, width }}
  >
    <NamespaceLink name={namespace} tabIndex={tabIndex} className="line-clamp-5 font-medium" />
    {count !== undefined && <span className="block text-soft text-xs">{plural(count, "memory", "memories")}</span>}
  </th>
));

interface AgentHeadProps {
  readonly agentId: string;
  readonly row: number;
  readonly width: number;
  readonly tabIndex: number | undefined;
}

export const AgentHead = ({ agentId, row, width, tabIndex }: AgentHeadProps) => (
  <th
    {...ROLES.rowHead}
    scope="row"
    aria-colindex={1}
    data-row={row}
    data-column={NAME_COLUMN}
    title={agentId}
    className={`${HEAD} sticky left-0 z-1 h-full content-center border-r px-3 sm:px-4`}
    style={{ width }}
  >
    <AgentLink
      agentId={agentId}
      tabIndex={tabIndex}
      className="line-clamp-5 border-y-3 border-transparent font-medium leading-snug"
    />
  </th>
);
