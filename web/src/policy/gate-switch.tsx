// A switch in the shape of a gate. On means open. For a caller who may not change it, the same gate without a switch.
import { type ReactNode, useId } from "react";
import { classNames } from "#web/lib/strings.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";

interface GateSwitchProps {
  readonly open: boolean;
  /** Left out when the caller may not change the gate. */
  readonly onChange?: ((open: boolean) => void) | undefined;
  readonly name: string;
  readonly children: ReactNode;
  readonly note: ReactNode;
  readonly layout: "stack" | "row";
}

export function GateSwitch({ open, onChange, name, children, note, layout }: GateSwitchProps) {
  const noteId = useId();
  const content = (
    <>
      {layout === "stack" ? (
        <span className="flex w-full justify-center border-edge border-b-2 pt-3">
          <GateIcon open={open} large className="size-20" />
        </span>
      ) : (
        <GateIcon open={open} className="size-7" />
      )}
      <span className="block w-full min-w-0 px-1">
        <span title={name} className="block font-medium text-sm leading-snug">
          {children}
        </span>
        <span
          id={noteId}
          // Room for four lines, so that a change moves nothing.
          className={classNames("block text-xs", open ? "text-pass" : "text-iron", layout === "stack" && "min-h-19")}
        >
          {note}
        </span>
      </span>
    </>
  );
  if (onChange === undefined) return <div className={LAYOUTS[layout]}>{content}</div>;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={open}
      aria-label={name}
      aria-describedby={noteId}
      onClick={() => onChange(!open)}
      className={classNames("hover:bg-well", LAYOUTS[layout])}
    >
      {content}
    </button>
  );
}

const LAYOUTS = {
  row: "flex min-h-12 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left",
  stack: "flex size-full flex-col items-center gap-1.5 rounded-t-md pb-2 text-center",
} as const;
