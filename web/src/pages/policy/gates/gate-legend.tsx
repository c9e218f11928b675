import { GateShape } from "./gate-state-icon.tsx";

/** Neither of the two closed ones lets anything through; they tell a decision from its absence. */
export function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1.5 text-soft text-xs">
      <li className="flex items-center gap-2">
        <GateShape state="open" className="size-5" /> open
      </li>
      <li className="flex items-center gap-2">
        <GateShape state="revoked" className="size-5" /> revoked: closed by a decision
      </li>
      <li className="flex items-center gap-2">
        <GateShape state="never" className="size-5" /> never opened: closed as all are at first
      </li>
    </ul>
  );
}
