// A switch in the shape of a gate. On means open. For a caller who may not change it, the same gate without a switch.
import { Switch } from "radix-ui";
import { type ReactNode, useId } from "react";
import { classNames } from "#web/lib/class-names.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";

interface GateSwitchProps {
  readonly open: boolean;
  /** Left out when the caller may not change the gate. */
  readonly onChange?: ((open: boolean) => void) | undefined;
  /** The accessible name: "health for assistant". */
  readonly name: string;
  /** The visible label, a `<Name>` for example. Without one only the gate is shown, for a cell of a table. */
  readonly children?: ReactNode;
  /** The state in words: "open", "closed · final". */
  readonly note?: string | undefined;
  readonly layout?: "stack" | "row";
  readonly disabled?: boolean;
  /** For a grid, where the Tab key stops at one of many switches. */
  readonly tabIndex?: number;
  /** Drawn in place of the gate, for a page that has more states than open and closed. */
  readonly icon?: ReactNode;
}

export function GateSwitch(props: GateSwitchProps) {
  const { open, onChange, name, children, note, layout = "row", disabled, tabIndex, icon } = props;
  const noteId = useId();
  const variant = children === undefined ? "bare" : layout;
  const content = (
    <>
      {variant === "stack" ? (
        <span className="flex w-full justify-center border-edge border-b-2 pt-3">
          <GateIcon open={open} large className="size-[5.5rem]" />
        </span>
      ) : (
        (icon ?? <GateIcon open={open} className="size-7" />)
      )}
      <span className={variant === "bare" ? "sr-only" : "block w-full min-w-0 px-1"}>
        {children !== undefined && (
          <span title={name} className="block font-medium text-sm leading-snug">
            {children}
          </span>
        )}
        {note !== undefined && (
          <span id={noteId} className={classNames("block text-xs", open ? "text-pass" : "text-iron")}>
            {note}
          </span>
        )}
      </span>
    </>
  );
  if (onChange === undefined) return <div className={VARIANTS[variant]}>{content}</div>;
  return (
    <Switch.Root
      checked={open}
      onCheckedChange={onChange}
      disabled={disabled ?? false}
      tabIndex={tabIndex}
      aria-label={name}
      aria-describedby={note === undefined ? undefined : noteId}
      className={classNames("hover:bg-well", VARIANTS[variant])}
    >
      {content}
    </Switch.Root>
  );
}

const VARIANTS = {
  bare: "inline-grid size-11 place-items-center rounded-md",
  row: "flex min-h-12 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left",
  stack: "flex size-full flex-col items-center gap-1.5 rounded-t-md pb-2 text-center",
} as const;
