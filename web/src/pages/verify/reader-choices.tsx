// The reader's own choices: a full node to ask, and the ids that they trust. Both stay in this browser.
import { useState } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { TrustedIds } from "#core/verify/observation.ts";
import { Button, Form, TextField } from "#web/ui/form.tsx";
import { Disclosure } from "#web/ui/page.tsx";
import { nodeUrl, type ReaderSettings } from "./reader-settings.ts";
import type { ShownVerification } from "./use-verification.ts";

interface ReaderChoicesProps {
  /** The ids that could be trusted now; undefined while nothing is known. */
  readonly current: Required<TrustedIds> | undefined;
  /** Whether there are full nodes to choose from: on Sui. */
  readonly hasNodes: boolean;
  readonly settings: ReaderSettings;
  readonly onChange: (settings: ReaderSettings) => void;
}

export const ReaderChoices = ({ current, hasNodes, settings, onChange }: ReaderChoicesProps) => (
  <div className="no-print flex flex-col items-start gap-3">
    {settings.trusted === undefined ? (
      <p className="text-sm text-soft">
        Compare package, policy object and key with what the operator published. This browser tells you when they
        change.
      </p>
    ) : (
      <TrustedIdList trusted={settings.trusted} />
    )}
    <div className="flex flex-wrap gap-3">
      {current !== undefined && (
        <Button onClick={() => onChange({ ...settings, trusted: merged(settings.trusted, current) })}>
          Trust these ids
        </Button>
      )}
      {settings.trusted !== undefined && (
        <Button look="quiet" onClick={() => onChange({ ...settings, trusted: undefined })}>
          Remove
        </Button>
      )}
    </div>
    {hasNodes && (
      <Disclosure summary="Ask another full node">
        <NodeForm fullNode={settings.fullNode} onSave={(fullNode) => onChange({ ...settings, fullNode })} />
      </Disclosure>
    )}
  </div>
);

/** The ids of this receipt that could be trusted. */
export function trustedIdsOf({ observation, progress }: ShownVerification): Required<TrustedIds> | undefined {
  const { chain, receipt } = progress;
  if (chain === undefined || progress.verdict === undefined) return undefined;
  const keyId = (receipt as Partial<AnswerReceipt> | undefined)?.signature?.keyId;
  return { packageId: observation.packageId, gateId: chain.gate, keyIds: typeof keyId === "string" ? [keyId] : [] };
}

/** Keys are replaced now and then, and older receipts keep theirs. */
function merged(before: TrustedIds | undefined, { packageId, gateId, keyIds }: Required<TrustedIds>): TrustedIds {
  const isSame = before !== undefined && before.packageId === packageId && before.gateId === gateId;
  return { packageId, gateId, keyIds: [...new Set([...(isSame ? (before.keyIds ?? []) : []), ...(keyIds ?? [])])] };
}

function TrustedIdList({ trusted: { packageId, gateId, keyIds = [] } }: { readonly trusted: TrustedIds }) {
  const rows = [
    ["Package", packageId],
    ["Policy object", gateId],
    ...keyIds.map((keyId) => ["Key", keyId] as const),
  ] as const;
  return (
    <dl className="flex flex-col gap-2" data-trusted>
      {rows.map(([name, value]) => (
        <div key={`${name} ${value}`}>
          <dt className="eyebrow">{name}</dt>
          <dd className="break-all font-mono text-xs">{visible(value ?? "not set")}</dd>
        </div>
      ))}
    </dl>
  );
}

interface NodeFormProps {
  readonly fullNode: string | undefined;
  readonly onSave: (fullNode: string | undefined) => void;
}

function NodeForm({ fullNode = "", onSave }: NodeFormProps) {
  const [text, setText] = useState(fullNode);
  const [error, setError] = useState<string>();
  const save = () => {
    const url = nodeUrl(text);
    if (text.trim() !== "" && url === undefined) return setError("That is not an http or https URL.");
    setError(undefined);
    onSave(url);
  };
  return (
    <Form onSubmit={save} className="flex flex-col items-start gap-3">
      <TextField
        label="URL of a full node"
        hint="It must speak gRPC. Empty: this page chooses."
        error={error}
        inputMode="url"
        value={text}
        onChange={setText}
      />
      <Button type="submit">Ask this node</Button>
    </Form>
  );
}
