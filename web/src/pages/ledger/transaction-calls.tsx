// The calls of a transaction: a line each, which opens to show all arguments.
import { visible } from "#core/encoding/visible-text.ts";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { fieldRows, Rows } from "./field-rows.tsx";
import type { Transaction } from "./ledger-wording.ts";

type Call = Transaction["calls"][number];

/** The arguments that differ between calls. The others are the same ids in all of them. */
const SUMMARY_ARGUMENTS: ReadonlySet<string> = new Set(["agent", "namespace", "allowed", "version", "policy_version"]);

export function TransactionCalls({ calls }: { readonly calls: readonly Call[] }) {
  return (
    <ol className="flex flex-col gap-1">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls have no other key and never change their order.
        <li key={index}>
          <Disclosure summary={<CallLine call={call} />}>
            <Rows rows={fieldRows(call.arguments)} />
          </Disclosure>
        </li>
      ))}
    </ol>
  );
}

function CallLine({ call }: { readonly call: Call }) {
  const summary = Object.entries(call.arguments).filter(([name]) => SUMMARY_ARGUMENTS.has(name));
  return (
    <span className="untrusted">
      <code className="font-mono text-ink">{visible(call.function)}</code>{" "}
      {summary.map(([name, value]) => `${name} ${visible(String(value))}`).join(", ")}
    </span>
  );
}
