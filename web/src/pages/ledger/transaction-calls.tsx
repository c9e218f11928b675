// The calls of a transaction: one line each, and all arguments when it is unfolded.
import { visible } from "#core/encoding/visible-text.ts";
import { Fold } from "#web/ui/disclosure.tsx";
import { fieldRows, Rows } from "./field-rows.tsx";
import type { Transaction } from "./ledger-wording.ts";

type Call = Transaction["calls"][number];

/** What tells one call from another; the rest is the same ids in all of them. */
const TELLING: ReadonlySet<string> = new Set(["agent", "namespace", "allowed", "issued"]);

export function Calls({ calls }: { readonly calls: readonly Call[] }) {
  return (
    <ol className="flex flex-col gap-1">
      {calls.map((call, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls have no other name, and never move.
        <li key={place}>
          <Fold summary={<CallLine call={call} />}>
            <Rows rows={fieldRows(call.arguments)} />
          </Fold>
        </li>
      ))}
    </ol>
  );
}

function CallLine({ call }: { readonly call: Call }) {
  const telling = Object.entries(call.arguments).filter(([name]) => TELLING.has(name));
  return (
    <span className="outside">
      <code className="font-mono text-ink">{visible(call.function)}</code>{" "}
      {telling.map(([name, value]) => `${name} ${visible(String(value))}`).join(", ")}
    </span>
  );
}
