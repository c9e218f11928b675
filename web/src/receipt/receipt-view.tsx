// A whole receipt: the blocked namespaces, the used memories, and the evidence.
import type { ReactNode } from "react";
import { memoriesSummary } from "#core/receipt/citations.ts";
import type { Opening, ViewedReceipt } from "#core/receipt/receipt.ts";
import { usePolicy } from "#web/api/queries.ts";
import { plural } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Disclosure } from "#web/ui/page.tsx";
import { CopyableId, Facts, Monospace, say } from "#web/ui/text.tsx";
import { LimitedTo } from "./recall-filters.tsx";
import { BlockedNamespaces, UsedMemories } from "./used-memories.tsx";

interface ReceiptViewProps {
  readonly receipt: ViewedReceipt;
  /** For whoever asked. */
  readonly opening?: Opening | undefined;
  /** Remarks on memories in comparison with another answer, by memory id. */
  readonly notes?: ReadonlyMap<string, string> | undefined;
  readonly newlyBlocked?: readonly string[] | undefined;
}

export function ReceiptView({ receipt, opening, notes, newlyBlocked }: ReceiptViewProps) {
  const { usedMemories, blockedNamespaces, blockedCount = blockedNamespaces.length } = receipt;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-card">
      <Part title={`Closed: ${plural(blockedCount, "namespace")}`}>
        <BlockedNamespaces namespaces={blockedNamespaces} total={blockedCount} newlyBlocked={newlyBlocked} />
      </Part>
      <Part title={`Memories ${memoriesSummary(receipt)}`} flush={usedMemories.length > 0}>
        <LimitedTo receipt={receipt} />
        <UsedMemories memories={usedMemories} notes={notes} />
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

const Part = ({ title, flush = false, children }: PartProps) => (
  <section className="border-line not-first:border-t">
    <h3 className="px-5 pt-4 pb-1 font-medium text-sm">{title}</h3>
    <div className={flush ? "" : "px-5 pb-4"}>{children}</div>
  </section>
);

/** What the receipt says of policy, model, question, prompt and answer, without showing them. */
function Evidence({ receipt, opening }: Pick<ReceiptViewProps, "receipt" | "opening">) {
  const { evidence, signature } = receipt;
  const { policyVersion, policyDigest, model } = evidence;
  const id = (label: string, value: string) => <CopyableId value={value} label={label} ends={10} />;
  const commitment = (name: string, absent: string) => {
    const value = evidence.commitments[`/${name}`];
    return value === undefined ? absent : id(`commitment to the ${name}`, value);
  };
  return (
    <Facts
      className="text-sm sm:grid-cols-[9rem_1fr]"
      rows={{
        "Answer id": id("answer id", receipt.answerId),
        Model: model === null ? "no model was used" : <Monospace>{model}</Monospace>,
        "Prompt template": evidence.template !== null && <Monospace>{evidence.template}</Monospace>,
        "Policy version": say(<Monospace>{policyVersion}</Monospace>, <PolicyNow since={policyVersion} />),
        "Policy digest": id("policy digest", policyDigest),
        Question: commitment("question", "not on record"),
        Prompt: commitment("prompt", "no prompt"),
        Answer: commitment("answer", "no complete answer"),
        "Signed with key":
          signature === undefined ? "not signed: the answer is not complete" : id("key id", signature.keyId),
        Opening: opening !== undefined && (
          <>
            {id("opening", opening.seed)}
            <p className="text-soft text-xs">
              Keep it. It proves that the question and the answer belong to this receipt.
            </p>
          </>
        ),
      }}
    />
  );
}

/** Other pages show the version of now, so this one says that the two differ. */
function PolicyNow({ since }: { readonly since: number }) {
  const { data } = usePolicy({ enabled: usePermissions().may("getPolicy") });
  return data !== undefined && data.version > since && <span className="text-soft"> (now {data.version})</span>;
}
