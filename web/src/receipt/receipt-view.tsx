// A whole receipt: the blocked namespaces, the used memories, and the evidence.
import type { ReactNode } from "react";
import { memoriesSummary } from "#core/receipt/citations.ts";
import type { Opening, ViewedReceipt } from "#core/receipt/receipt.ts";
import { plural } from "#web/lib/plural.ts";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { BlockedNamespaces } from "./blocked-namespaces.tsx";
import { Evidence } from "./evidence.tsx";
import { UsedMemories } from "./used-memories.tsx";

interface ReceiptViewProps {
  readonly receipt: ViewedReceipt;
  /** For whoever asked. */
  readonly opening?: Opening | undefined;
  /** Remarks on memories in comparison with another answer, by memory id. */
  readonly notes?: ReadonlyMap<string, string>;
  readonly newlyBlocked?: readonly string[];
}

export function ReceiptView({ receipt, opening, notes, newlyBlocked }: ReceiptViewProps) {
  const { usedMemories, blockedNamespaces, blockedCount = blockedNamespaces.length } = receipt;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-card">
      <Part title={`Blocked: ${plural(blockedCount, "namespace")}`}>
        <BlockedNamespaces
          namespaces={blockedNamespaces}
          total={blockedCount}
          {...(newlyBlocked && { newlyBlocked })}
        />
      </Part>
      <Part title={`Memories ${memoriesSummary(receipt)}`} flush={usedMemories.length > 0}>
        <UsedMemories memories={usedMemories} {...(notes && { notes })} />
      </Part>
      <div className="border-line border-t px-5 py-3">
        <Disclosure summary="Evidence: policy, prompt, answer and signature">
          <Evidence receipt={receipt} opening={opening} />
        </Disclosure>
      </div>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly flush?: boolean;
  readonly children: ReactNode;
}

function Part({ title, flush = false, children }: PartProps) {
  return (
    <section className="border-line not-first:border-t">
      <h3 className="px-5 pt-4 pb-1 font-medium text-sm">{title}</h3>
      <div className={flush ? "" : "px-5 pb-4"}>{children}</div>
    </section>
  );
}
