import type { ComponentProps } from "react";
import { classNames } from "#web/lib/class-names.ts";

interface ButtonProps extends ComponentProps<"button"> {
  /** `primary`: the main action of the page. `quiet`: other actions. `plain`: within text and tables. */
  readonly look?: "primary" | "quiet" | "plain";
  /** While the action runs: the button stays focusable and does nothing. */
  readonly busy?: boolean;
}

const LOOKS = {
  primary: "min-h-11 bg-ink px-5 font-medium text-paper hover:bg-iron aria-disabled:bg-soft",
  quiet: "min-h-11 border border-edge bg-card px-4 hover:bg-well aria-disabled:text-soft",
  plain: "min-h-7 px-1.5 text-link underline decoration-1 underline-offset-4 hover:bg-well aria-disabled:text-soft",
} as const;

export function Button({ look = "quiet", busy = false, type = "button", className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? "button" : type}
      aria-disabled={busy || rest.disabled || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={classNames("inline-flex items-center justify-center gap-2 rounded-md text-sm", LOOKS[look], className)}
    />
  );
}
