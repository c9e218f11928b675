import type { ReactNode } from "react";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";

/** The digests of the policy, the prompt and the answer, which anyone can derive again. */
export function Evidence({ receipt }: { readonly receipt: ViewedReceipt }) {
  const { policyVersion, policyDigest, promptDigest, answerDigest, model } = receipt.evidence;
  return (
    <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[9rem_1fr]">
      <Row name="Answer id">
        <CopyableId value={receipt.answerId} label="answer id" ends={10} />
      </Row>
      <Row name="Model">{model === null ? "no model was used" : <Monospace>{model}</Monospace>}</Row>
      <Row name="Policy version">
        <Monospace>{policyVersion}</Monospace>
      </Row>
      <Row name="Policy digest">
        <CopyableId value={policyDigest} label="policy digest" ends={10} />
      </Row>
      <Row name="Prompt digest">
        {promptDigest === null ? "no prompt" : <CopyableId value={promptDigest} label="prompt digest" ends={10} />}
      </Row>
      <Row name="Answer digest">
        {answerDigest === undefined ? (
          "no complete answer"
        ) : (
          <CopyableId value={answerDigest} label="answer digest" ends={10} />
        )}
      </Row>
    </dl>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
