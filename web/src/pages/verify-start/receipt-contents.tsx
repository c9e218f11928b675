import { visible } from "#core/encoding/visible-text.ts";
import { memoriesSummary } from "#core/receipt/citations.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { Names, utcTime } from "#web/pages/verify/receipt-facts.tsx";
import { Facts } from "#web/ui/text.tsx";

const MEMORIES_SHOWN = 12;

export function ReceiptContents({ receipt }: { readonly receipt: ForeignReceipt }) {
  const { agentId, createdAt, usedMemories, blockedNamespaces } = receipt;
  const rest = usedMemories.length - MEMORIES_SHOWN;
  return (
    <Facts
      className="gap-x-8 gap-y-4 sm:grid-cols-[8rem_minmax(0,1fr)]"
      rows={{
        Agent: <bdi className="untrusted font-medium">{visible(agentId)}</bdi>,
        Made: utcTime(createdAt),
        Memories: (
          <>
            <p className="text-sm text-soft">{memoriesSummary(receipt)}</p>
            <ul className="mt-1 flex flex-col gap-2">
              {usedMemories.slice(0, MEMORIES_SHOWN).map(({ namespace, snippet, storeRef }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a foreign receipt may name a blob twice, and nothing moves.
                <li key={`${index} ${storeRef}`}>
                  <bdi className="untrusted text-sm text-soft">{visible(namespace)}</bdi>
                  <p className="untrusted measure font-serif text-[1.0625rem] leading-snug" dir="auto">
                    {visible(snippet)}
                  </p>
                </li>
              ))}
              {rest > 0 && <li className="text-sm text-soft">and {rest.toLocaleString("en")} more</li>}
            </ul>
          </>
        ),
        Closed: <Names names={blockedNamespaces} />,
      }}
    />
  );
}
