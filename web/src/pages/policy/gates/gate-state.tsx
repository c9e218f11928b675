// The states of a gate. A revoked gate was closed by a policy change; one that was never opened is closed by default.
import { useState } from "react";
import type { GateAccess } from "#web/policy/use-access.ts";
import { GateIcon, StillGateIcon } from "#web/ui/gate-icon.tsx";

export type GateState = "open" | "revoked" | "never";

export const GATE_STATE_TEXT = { open: "open", revoked: "revoked", never: "never opened" } as const;

export function stateOf({ open, state }: GateAccess, isRevoked: boolean): GateState {
  if (open) return "open";
  // A gate that is closing becomes revoked.
  return isRevoked || state === "pending" ? "revoked" : "never";
}

/** The state in words, also while it changes. */
export function noteOf({ state, note }: GateAccess, gate: GateState): string {
  return state === "settled" ? GATE_STATE_TEXT[gate] : note;
}

/** Decorative. A gate that was never opened is a dashed outline. One that moves gets a grille of its own. */
export function GateStateIcon({ state, className }: { readonly state: GateState; readonly className: string }) {
  const [drawn, setDrawn] = useState({ state, hasMoved: false });
  if (drawn.state !== state) setDrawn({ state, hasMoved: true });
  if (state !== "never") {
    const Icon = drawn.hasMoved ? GateIcon : StillGateIcon;
    return <Icon open={state === "open"} className={className} />;
  }
  return (
    <svg viewBox="0 0 40 44" className={`flex-none text-edge ${className}`} aria-hidden="true">
      <path
        d="M4 42V20a16 16 0 0 1 32 0v22z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeDasharray="3.6 4"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Both closed states block the namespace; `revoked` shows that somebody closed it. */
export function GateLegend() {
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1.5 text-soft text-xs">
      <li className="flex items-center gap-2">
        <GateStateIcon state="open" className="size-5" /> open
      </li>
      <li className="flex items-center gap-2">
        <GateStateIcon state="revoked" className="size-5" /> revoked: closed by a policy change
      </li>
      <li className="flex items-center gap-2">
        <GateStateIcon state="never" className="size-5" /> never opened: closed by default
      </li>
    </ul>
  );
}
