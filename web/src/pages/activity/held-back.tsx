import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { Decision } from "./decision.ts";

/** How many names a row has. */
const MOST_NAMED = 6;

/** What the gate let through for an answer, and what it held back. */
export function HeldBack({
  decision,
}: {
  readonly decision: Pick<Decision, "allowedNamespaces" | "blockedNamespaces" | "allowedCount" | "blockedCount">;
}) {
  const { allowedNamespaces = [], blockedNamespaces = [], allowedCount, blockedCount } = decision;
  if (allowedCount === undefined && blockedCount === undefined) return null;
  return (
    <p className="text-soft text-sm">
      <Names label="Open:" names={allowedNamespaces} count={allowedCount ?? 0} none="nothing" />{" "}
      <span className={(blockedCount ?? 0) > 0 ? "text-ink" : undefined}>
        <Names label="Held back:" names={blockedNamespaces} count={blockedCount ?? 0} none="nothing" />
      </span>
    </p>
  );
}

interface NamesProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly count: number;
  readonly none: string;
}

function Names({ label, names, count, none }: NamesProps) {
  const shown = names.slice(0, MOST_NAMED);
  return (
    <>
      {label}{" "}
      {count === 0
        ? none
        : shown.map((name, i) => (
            <span key={name}>
              {i > 0 && ", "}
              <Name>{name}</Name>
            </span>
          ))}
      {count > shown.length && ` and ${(count - shown.length).toLocaleString("en")} more`}.
    </>
  );
}
