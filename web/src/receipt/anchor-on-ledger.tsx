// Anchoring on the ledger, with the claims to choose. One of a blocked namespace comes back as not authorized: the
// ledger judges by its own policy, whatever we say.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { client, refresh } from "#web/api/client.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Checkbox } from "#web/ui/form/field.tsx";
import { Gate } from "#web/ui/gate-icon.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { sendable } from "./anchor-as-blob.tsx";
import { Anchored } from "./ledger-anchor-result.tsx";

export function AnchorOnLedger({ receipt }: { readonly receipt: AnswerReceipt }) {
  const used = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))];
  const [choosing, setChoosing] = useState(false);
  const [claims, setClaims] = useState<ReadonlySet<string>>(() => new Set(used));
  const anchoring = useMutation({
    mutationFn: (claimNamespaces: string[]) => client.anchorOnChain({ receipt: sendable(receipt), claimNamespaces }),
    onSuccess: () => refresh("receipts", "overview", "ledger"),
  });

  function toggle(namespace: string): void {
    const next = new Set(claims);
    if (!next.delete(namespace)) next.add(namespace);
    setClaims(next);
  }

  return (
    <div className="flex flex-col items-start gap-2">
      {!choosing && <Button onClick={() => setChoosing(true)}>Anchor on the ledger …</Button>}
      {choosing && (
        <fieldset className="w-full rounded-md border border-line p-4">
          <legend className="px-1 font-medium text-sm">What the receipt claims to rest on</legend>
          <p className="mb-3 text-soft text-xs">
            The ledger judges each claim by its own policy. Tick a closed one to see it refused.
          </p>
          <ul className="mb-4 grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4">
            {[...used, ...receipt.blockedNamespaces.filter((name) => !used.includes(name))].map((namespace) => (
              <li key={namespace}>
                <Checkbox checked={claims.has(namespace)} onChange={() => toggle(namespace)}>
                  <Gate open={used.includes(namespace)} className="size-5" />
                  <Name>{namespace}</Name>
                  <span className="sr-only">{used.includes(namespace) ? "(used)" : "(blocked)"}</span>
                </Checkbox>
              </li>
            ))}
          </ul>
          <Button busy={anchoring.isPending} onClick={() => anchoring.mutate([...claims])}>
            {anchoring.isPending ? "Anchoring …" : claimed(claims.size)}
          </Button>
        </fieldset>
      )}
      <div role="status" className="w-full empty:hidden">
        {anchoring.data !== undefined && (
          <Anchored result={anchoring.data} claims={anchoring.variables ?? []} blocked={receipt.blockedNamespaces} />
        )}
      </div>
      {anchoring.error !== null && (
        <ProblemNote error={anchoring.error} onRetry={() => anchoring.mutate([...claims])} />
      )}
    </div>
  );
}

const claimed = (count: number): string =>
  count === 0 ? "Anchor without claims" : `Anchor with ${count} ${count === 1 ? "claim" : "claims"}`;
