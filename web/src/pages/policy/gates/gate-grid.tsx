// The table of gates: a row for each agent, a column for each namespace. It is virtual in both directions: only cells
// near the window are in the page, so that 200 agents and 500 namespaces scroll well.
import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
} from "react";
import type { AccessRule, Policy } from "#core/gate/policy.ts";
import { useMemoryCounts } from "#web/api/queries.ts";
import { useMeasured } from "#web/lib/use-measured.ts";
import type { Access } from "#web/policy/use-access.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { GateRow } from "./gate-row.tsx";
import { Corner, HEAD, HEAD_ROW, NamespaceHead, ROLES, tabIndexIf } from "./grid-heads.tsx";
import { type Position, useGridNavigation } from "./use-grid-navigation.ts";

export type Cell = Omit<AccessRule, "allowed">;

/** What the page can ask of the table. */
export interface GridHandle {
  /** Scrolls to the gate and gives it the focus, if it is in the table. */
  readonly focusGate: (cell: Cell) => void;
}

export interface GridProps {
  readonly policy: Policy;
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly access: Access;
  /** Must be the same function at each drawing, or every cell is drawn again. */
  readonly onChange: (agentId: string, namespace: string, allowed: boolean) => void;
  readonly handle: RefObject<GridHandle | null>;
}

/** In pixels. Names that need more lines than a head has are cut there. */
const ROW_HEIGHT = { short: 100, long: 140 } as const;
const HEAD_HEIGHT = { short: 68, long: 132 } as const;
/** Names of up to so many characters need two lines at most. Those of 64 characters need five, as a rule. */
const SHORT_NAME = 24;
const MIN_COLUMN_WIDTH = 128;
const AGENT_WIDTH = { narrow: 120, wide: 176 } as const;
const NARROW_BELOW = 576;
/** Rows and columns beyond the window. */
const OVERSCAN = 2;
/** A table of at most this many gates is all in the page, so that the browser can search and print it. */
const MAX_UNVIRTUALIZED = 300;
const DRAWN_PER_FRAME = 32;
/** The columns before have the agent's head. */
const FIRST_GATE: Position = { row: 0, column: 1 };

export function GateGrid({ agents, namespaces, access, onChange, handle }: GridProps) {
  const scroller = useRef<HTMLElement>(null);
  const innerWidth = useMeasured(scroller, ({ clientWidth }) => clientWidth);
  const countOf = useMemoryCounts();
  const { may, governs } = usePermissions();
  const hasControls = may("setAccess");
  const rowHeight = ROW_HEIGHT[lengthOf(agents)];
  const headHeight = HEAD_HEIGHT[lengthOf(namespaces)];
  const agentWidth = innerWidth < NARROW_BELOW ? AGENT_WIDTH.narrow : AGENT_WIDTH.wide;
  const columnWidth = Math.max(MIN_COLUMN_WIDTH, Math.floor((innerWidth - agentWidth) / namespaces.length));
  const { current, focus, handlers } = useGridNavigation({
    rows: agents.length,
    columns: namespaces.length + 1,
    first: FIRST_GATE,
    grid: scroller,
    scrollTo({ row, column }) {
      if (row > HEAD_ROW) rows.scrollToIndex(row);
      if (column > 0) columns.scrollToIndex(column - 1);
    },
  });
  const isSmall = agents.length * namespaces.length <= MAX_UNVIRTUALIZED;
  const overscan = isSmall ? MAX_UNVIRTUALIZED : OVERSCAN;
  const shared = { getScrollElement: () => scroller.current, overscan, useFlushSync: false };
  const rows = useVirtualizer({
    ...shared,
    count: agents.length,
    estimateSize: () => rowHeight,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    rangeExtractor: useShownWith(current.row),
  });
  const columns = useVirtualizer({
    ...shared,
    horizontal: true,
    count: namespaces.length,
    estimateSize: () => columnWidth,
    paddingStart: agentWidth,
    scrollPaddingStart: agentWidth,
    rangeExtractor: useShownWith(current.column - 1),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are measured again when their width changes.
  useLayoutEffect(() => columns.measure(), [columnWidth, columns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: and the rows when their height changes.
  useLayoutEffect(() => rows.measure(), [rowHeight, rows]);
  useImperativeHandle(handle, () => ({
    focusGate({ agentId, namespace }) {
      const [row, column] = [agents.indexOf(agentId), namespaces.indexOf(namespace)];
      if (row !== -1 && column !== -1) focus({ row, column: column + 1 });
    },
  }));
  const shownRows = rows.getVirtualItems();
  const shownColumns = columns.getVirtualItems();
  const budget = isSmall ? MAX_UNVIRTUALIZED : DRAWN_PER_FRAME;
  const columnsOf = useDrawBudget(shownRows, shownColumns, current.row, budget);

  return (
    <section
      ref={scroller}
      aria-label="Gates by agent and namespace"
      // A region that scrolls must be reachable with the keyboard.
      {...(!hasControls && { tabIndex: 0 })}
      className="relative max-h-[80dvh] overflow-auto overscroll-x-contain rounded-lg border border-line bg-card"
    >
      <table
        {...(hasControls ? { role: "grid", ...handlers } : { role: "table" })}
        aria-label="Which agent may use which namespace"
        aria-rowcount={agents.length + 1}
        aria-colcount={namespaces.length + 1}
        className="relative block min-w-full"
        style={{ width: columns.getTotalSize(), height: rows.getTotalSize() }}
      >
        <thead {...ROLES.group} className="contents">
          <tr
            {...ROLES.row}
            aria-rowindex={1}
            className={`${HEAD} sticky top-0 z-2 border-b`}
            style={{ height: headHeight }}
          >
            <Corner width={agentWidth} />
            {shownColumns.map(({ index, start, size }) => {
              const namespace = namespaces[index] ?? "";
              const column = index + 1;
              const isTabStop = current.row === HEAD_ROW && current.column === column;
              return (
                <NamespaceHead
                  key={namespace}
                  {...{ namespace, column }}
                  count={countOf(namespace)}
                  left={start}
                  width={size}
                  tabIndex={hasControls ? tabIndexIf(isTabStop) : undefined}
                />
              );
            })}
          </tr>
        </thead>
        <tbody {...ROLES.group} className="contents">
          {shownRows.map(({ index: row, start: top }) => {
            const agentId = agents[row] ?? "";
            return (
              <GateRow
                key={agentId}
                {...{ agentId, row, top, agentWidth, namespaces, access, governs, onChange }}
                height={rowHeight}
                columns={columnsOf(row)}
                tabStop={current.row === row ? current.column : undefined}
                isInGrid={hasControls}
              />
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/**
 * The cell with the focus stays in the page when it is scrolled out of sight, so that the focus is not lost. The same
 * function gives the same lists, so that a scrolled table draws only what is new.
 */
const useShownWith = (index: number) => useCallback((range: Range) => including(range, index), [index]);

function including(range: Range, index: number): number[] {
  const shown = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || shown.includes(index)) return shown;
  return [...shown, index].sort((a, b) => a - b);
}

const lengthOf = (names: readonly string[]): "short" | "long" =>
  names.every(({ length }) => length <= SHORT_NAME) ? "short" : "long";

export type Columns = readonly VirtualItem[];

const NO_COLUMNS: Columns = [];

/** The columns that each row draws in this frame. `first`: the row that must not wait. */
function useDrawBudget(
  rows: readonly VirtualItem[],
  columns: Columns,
  first: number,
  budget: number,
): (row: number) => Columns {
  const drawn = useRef<ReadonlyMap<number, Columns>>(new Map());
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const { next, isComplete } = columnsToDraw(drawn.current, rows, columns, first, budget);
  useLayoutEffect(() => {
    drawn.current = next;
  });
  useEffect(() => {
    if (isComplete) return;
    const frame = requestAnimationFrame(drawAgain);
    return () => cancelAnimationFrame(frame);
  });
  return (row) => next.get(row) ?? NO_COLUMNS;
}

export function columnsToDraw(
  drawn: ReadonlyMap<number, Columns>,
  rows: readonly Pick<VirtualItem, "index">[],
  columns: Columns,
  first: number,
  budget: number,
): { readonly next: Map<number, Columns>; readonly isComplete: boolean } {
  const next = new Map<number, Columns>();
  const order = rows.map(({ index }) => index).sort((a, b) => Number(b === first) - Number(a === first));
  let left = budget;
  for (const row of order) {
    const before = drawn.get(row) ?? NO_COLUMNS;
    const cost = before === columns ? 0 : countNew(columns, before);
    const isDrawn = cost <= left || row === first || left === budget;
    next.set(row, isDrawn ? columns : before);
    if (isDrawn) left = Math.max(0, left - cost);
  }
  return { next, isComplete: [...next.values()].every((own) => own === columns) };
}

function countNew(columns: Columns, before: Columns): number {
  const known = new Set(before.map(({ index }) => index));
  return columns.filter(({ index }) => !known.has(index)).length;
}
