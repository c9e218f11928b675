// A switch that is a gate: on is open. Space and Enter work it, as any switch.
import { Switch } from "radix-ui";
import { type ReactNode, useId } from "react";
import { classes } from "#web/lib/class-names.ts";
import { Gate } from "#web/ui/gate-icon.tsx";

interface GateSwitchProps {
  readonly open: boolean;
  readonly onChange: (open: boolean) => void;
  /** What a screen reader calls it: "health for assistant". On means open. */
  readonly name: string;
  /** What stands beside it, a `<Name>` for example. Left out: nothing but the gate, for a cell of a matrix. */
  readonly children?: ReactNode;
  /** The state in words: "open", "closed · final". */
  readonly note?: string | undefined;
  readonly layout?: "stack" | "row";
  readonly disabled?: boolean;
  /** For a grid, where one of many can be tabbed to. */
  readonly tabIndex?: number;
  /** Drawn in place of the gate, where there is more to show than open and closed. */
  readonly shape?: ReactNode;
}

export function GateSwitch(props: GateSwitchProps) {
  const { open, onChange, name, children, note, layout = "row", disabled, tabIndex, shape } = props;
  const noteId = useId();
  const form = children === undefined ? "bare" : layout;
  return (
    <Switch.Root
      checked={open}
      onCheckedChange={onChange}
      disabled={disabled ?? false}
      tabIndex={tabIndex}
      aria-label={name}
      aria-describedby={note === undefined ? undefined : noteId}
      className={classes("hover:bg-well", FORMS[form])}
    >
      {form === "stack" ? (
        <span className="flex w-full justify-center border-edge border-b-2 pt-3">
          <Gate open={open} large className="size-[5.5rem]" />
        </span>
      ) : (
        (shape ?? <Gate open={open} className="size-7" />)
      )}
      <span className={form === "bare" ? "sr-only" : "block w-full min-w-0 px-1"}>
        {children !== undefined && (
          <span title={name} className="line-clamp-2 font-medium text-sm leading-snug">
            {children}
          </span>
        )}
        {note !== undefined && (
          <span id={noteId} className={classes("block text-xs", open ? "text-pass" : "text-iron")}>
            {note}
          </span>
        )}
      </span>
    </Switch.Root>
  );
}

const FORMS = {
  bare: "inline-grid size-11 place-items-center rounded-md",
  row: "flex min-h-12 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left",
  stack: "flex size-full flex-col items-center gap-1.5 rounded-t-md pb-2 text-center",
} as const;
