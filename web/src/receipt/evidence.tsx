import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Opening, ViewedReceipt } from "#core/receipt/receipt.ts";
import { policyQuery } from "#web/api/queries.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";

/** What the receipt says of policy, model, question, prompt and answer, without showing them. */
interface EvidenceProps {
  readonly receipt: ViewedReceipt;
  readonly opening?: Opening | undefined;
}

/** Other pages show the version of now, so this one says that the two differ. */
function PolicyNow({ since }: { readonly since: number }) {
  const enabled = usePermissions().may("getPolicy");
  const { data } = useQuery({ ...policyQuery, enabled });
  return data !== undefined && data.version > since && <span className="text-soft"> (now {data.version})</span>;
}

export function Evidence({ receipt, opening }: EvidenceProps) {
  const { evidence, signature } = receipt;
  const { policyVersion, policyDigest, model } = evidence;
  return (
    <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[9rem_1fr]">
      <Row name="Answer id">
        <CopyableId value={receipt.answerId} label="answer id" ends={10} />
      </Row>
      <Row name="Model">{model === null ? "no model was used" : <Monospace>{model}</Monospace>}</Row>
      {"template" in evidence && evidence.template !== null && (
        <Row name="Prompt template">
          <Monospace>{evidence.template}</Monospace>
        </Row>
      )}
      <Row name="Policy version">
        <Monospace>{policyVersion}</Monospace>
        <PolicyNow since={policyVersion} />
      </Row>
      <Row name="Policy digest">
        <CopyableId value={policyDigest} label="policy digest" ends={10} />
      </Row>
      {hiddenFields(evidence).map(({ name, value, label, absent }) => (
        <Row key={name} name={name}>
          {value === undefined ? absent : <CopyableId value={value} label={label} ends={10} />}
        </Row>
      ))}
      {"v" in evidence && (
        <Row name="Signed with key">
          {signature === undefined ? (
            "not signed: the answer is not complete"
          ) : (
            <CopyableId value={signature.keyId} label="key id" ends={10} />
          )}
        </Row>
      )}
      {opening !== undefined && (
        <Row name="Opening">
          <CopyableId value={opening.seed} label="opening" ends={10} />
          <p className="text-soft text-xs">
            Keep it. With it you can show that the question and the answer belong to this receipt.
          </p>
        </Row>
      )}
    </dl>
  );
}

/** Format 2 has salted commitments to them, and format 1 has plain digests. */
function hiddenFields(evidence: ViewedReceipt["evidence"]) {
  if ("v" in evidence) {
    const field = (name: string, path: string, absent: string) => {
      const label = `commitment to the ${name.toLowerCase()}`;
      return { name, value: evidence.commitments[path], label, absent };
    };
    return [
      field("Question", "/question", "not on record"),
      field("Prompt", "/prompt", "no prompt"),
      field("Answer", "/answer", "no complete answer"),
    ];
  }
  const { promptDigest, answerDigest } = evidence;
  return [
    { name: "Prompt digest", value: promptDigest ?? undefined, label: "prompt digest", absent: "no prompt" },
    { name: "Answer digest", value: answerDigest, label: "answer digest", absent: "no complete answer" },
  ];
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
