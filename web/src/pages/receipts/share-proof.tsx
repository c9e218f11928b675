// The link that discloses fields of a receipt to others. The opening stands in the fragment of the address, so that no
// server sees it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pagePath } from "#contract/page-paths.ts";
import { factText } from "#core/memory.ts";
import { heldFields, openingOfAll, openingOfSome, type PrivateField } from "#core/receipt/held-values.ts";
import type { DisclosedName, OpeningDocument } from "#core/receipt/opening.ts";
import { type AnswerReceipt, isComplete } from "#core/receipt/receipt.ts";
import { sealedFormOf } from "#core/receipt/sealed-form.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { client } from "#web/api/client.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { baseUrl } from "#web/lib/address.ts";
import { saveFile } from "#web/lib/files.ts";
import { fieldName, writeFragment } from "#web/receipt/opening-link.ts";
import { callerSignal } from "#web/session/session.ts";
import { Button, Checkbox, CopyButton, TextArea } from "#web/ui/form.tsx";
import { Disclosure } from "#web/ui/page.tsx";
import type { ReceiptEntry } from "./receipt-row.tsx";

/** Nothing for those who do not hold the opening. */
export default function ShareProof({ entry, receiptId }: { readonly entry: ReceiptEntry; readonly receiptId: string }) {
  const { receipt, opening, chain, names = [] } = entry;
  const claimed = chain.find((anchor) => anchor.receiptId === receiptId)?.claimed ?? [];
  const onLedger = new Set([receipt.agentId, ...claimed]);
  if (opening === undefined || receipt.signature === undefined || !isComplete(receipt)) return null;
  return (
    <Disclosure summary="Share the proof">
      <Links
        receipt={receipt as AnswerReceipt}
        seed={opening.seed}
        receiptId={receiptId}
        names={names.filter(({ name }) => onLedger.has(name))}
      />
    </Disclosure>
  );
}

interface LinksProps {
  readonly receipt: AnswerReceipt;
  readonly seed: string;
  readonly receiptId: string;
  /** Those under pseudonyms on the ledger. */
  readonly names: readonly DisclosedName[];
}

function Links({ receipt, seed, receiptId, names }: LinksProps) {
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState("");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { data: texts } = useQuery({
    queryKey: ["blobs-of-receipt", receipt.answerId],
    queryFn: () => Promise.all(receipt.usedMemories.map(({ memoryId }) => textsOf(memoryId))),
  });
  const [blobs, encrypted] = [texts?.map(({ blob }) => blob), texts?.map((each) => each.encrypted)];
  const words = { question: question || undefined, answer: answer || undefined };
  const held = { ...words, names, ...(blobs && { blobs }), ...(encrypted && { encrypted }) };
  const fields = heldFields(receipt, seed, held);
  const chosen = fields.filter(([path]) => !left.has(path));
  const all = Object.keys(sealedFormOf(receipt).commitments).length;
  const opening: OpeningDocument =
    left.size === 0
      ? openingOfAll(receipt, seed, held)
      : { ...openingOfSome(seed, chosen), names: names.filter(({ name }) => !left.has(nameKey(name))) };
  const { data: url } = useQuery({
    queryKey: ["link-of-receipt", receiptId, question, answer, blobs?.length, ...left],
    queryFn: async () => `${baseUrl()}${pagePath("verify", { receiptId })}#${await writeFragment(opening)}`,
  });
  const box = (key: string, label: string) => (
    <Checkbox
      key={key}
      checked={!left.has(key)}
      onChange={({ target }) => {
        const next = new Set(left);
        if (target.checked) next.delete(key);
        else next.add(key);
        setLeft(next);
      }}
    >
      {label}
    </Checkbox>
  );
  const groups = Map.groupBy(fields, ([path]) => fieldName(path)[0]);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft text-xs">Whoever has the link sees what you tick.</p>
      <Words label="Question" value={question} isHeld={has(fields, "/question")} onChange={setQuestion} />
      {receipt.evidence.kind === "answered" && (
        <Words label="Answer" value={answer} isHeld={has(fields, "/answer")} onChange={setAnswer} />
      )}
      <div className="grid gap-x-6 sm:grid-cols-2">
        {[...groups].map(([name, members]) =>
          members.map(([path]) => fieldName(path)[1]).some((part) => part !== undefined) ? (
            <fieldset key={name} className="col-span-full flex flex-wrap items-center gap-x-5 text-sm">
              <legend className="float-left mr-5 font-medium">{name}</legend>
              {members.map(([path]) => box(path, fieldName(path)[1] ?? ""))}
            </fieldset>
          ) : (
            members.map(([path]) => box(path, name))
          ),
        )}
        {names.map(({ name }) => box(nameKey(name), `The name “${name}”, in all receipts on this ledger`))}
      </div>
      {url !== undefined && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <a href={url}>
            Link to {chosen.length} of {all} fields
          </a>
          <CopyButton text={url} what="the link" />
          <Button look="plain" onClick={() => saveProof(receiptId, opening)}>
            Save as a file
          </Button>
        </p>
      )}
    </div>
  );
}

/** No path of a field begins like this. */
const nameKey = (name: string): string => `name ${name}`;

const has = (fields: readonly PrivateField[], path: string): boolean => fields.some(([one]) => one === path);

interface WordsProps {
  readonly label: string;
  readonly value: string;
  readonly isHeld: boolean;
  readonly onChange: (value: string) => void;
}

function Words({ label, value, isHeld, onChange }: WordsProps) {
  const error = value === "" || isHeld ? undefined : `This is not the ${label.toLowerCase()} of this receipt.`;
  return <TextArea label={label} error={error} rows={2} value={value} onChange={onChange} />;
}

/** The same as the link, for whoever drops it on the page /verify. */
const saveProof = (receiptId: string, opening: OpeningDocument): void =>
  saveFile(`proof-${receiptId.slice(0, 12)}.json`, "application/json", [JSON.stringify({ receiptId, opening })]);

/** Nothing of a memory that is gone, or that this reader may not read. */
async function textsOf(memoryId: string): Promise<{ blob?: string; encrypted?: string }> {
  try {
    const { memory } = await client.getMemory({ memoryId });
    const { aggregator } = (await fetchServiceInfo()).blobs;
    const blob = factText(memory);
    // What a service keeps itself it gives to no stranger, encrypted or not.
    if (memory.encrypted === undefined || aggregator !== "") return { blob };
    const bytes = await fetchBlob(aggregator, memory.storeRef, callerSignal(), { asCaller: true });
    return typeof bytes === "string" ? { blob } : { blob, encrypted: new TextDecoder().decode(bytes) };
  } catch {
    return {};
  }
}
