import { GateStateIcon } from "./gate-state-icon.tsx";

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
