// Links that disclose a receipt to others: all that the holder knows, or one field. The opening stands in the fragment
// of the address, so that no server sees it.
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
import { Button, CopyButton, TextArea } from "#web/ui/form.tsx";
import { Disclosure } from "#web/ui/page.tsx";
import type { ReceiptEntry } from "./receipt-row.tsx";

/** Nothing for those who do not hold the opening. */
export function ShareProof({ entry, receiptId }: { readonly entry: ReceiptEntry; readonly receiptId: string }) {
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
  const { data: texts } = useQuery({
    queryKey: ["blobs-of-receipt", receipt.answerId],
    queryFn: () => Promise.all(receipt.usedMemories.map(({ memoryId }) => textsOf(memoryId))),
  });
  const [blobs, encrypted] = [texts?.map(({ blob }) => blob), texts?.map((each) => each.encrypted)];
  const words = { question: question || undefined, answer: answer || undefined };
  const held = { ...words, names, ...(blobs && { blobs }), ...(encrypted && { encrypted }) };
  const fields = heldFields(receipt, seed, held);
  const all = Object.keys(sealedFormOf(receipt).commitments).length;
  const key = [receiptId, question, answer, blobs?.length];
  const { data: links } = useQuery({
    queryKey: ["links-of-receipt", ...key],
    queryFn: () => linksTo(receiptId, receipt, seed, held, fields),
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft text-xs">
        Whoever has one of these links sees the fields that it discloses. To disclose question and answer, enter them.
      </p>
      {names.length > 0 && (
        <p className="text-soft text-xs">
          The ledger has pseudonyms for the agent and its namespaces. Whoever learns a name here can find it in all
          receipts on this ledger.
        </p>
      )}
      <Words label="Question" value={question} isHeld={has(fields, "/question")} onChange={setQuestion} />
      {receipt.evidence.kind === "answered" && (
        <Words label="Answer" value={answer} isHeld={has(fields, "/answer")} onChange={setAnswer} />
      )}
      {links !== undefined && (
        <ul className="flex flex-col divide-y divide-line" aria-label="Links that disclose fields">
          <Link name={`Everything you hold: ${fields.length} of ${all} fields`} url={links.all} />
          <li className="py-1">
            <Button look="plain" className="-ml-1.5" onClick={() => saveProof(receiptId, links.opening)}>
              The same as a file
            </Button>
          </li>
          {links.single.map(({ path, url }) => (
            <Link key={path} name={`Only ${fieldName(path)}`} url={url} />
          ))}
          {links.names.map(({ name, url }) => (
            <Link key={name} name={`Only the name “${name}”`} url={url} />
          ))}
        </ul>
      )}
    </div>
  );
}

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

function Link({ name, url }: { readonly name: string; readonly url: string }) {
  return (
    <li className="flex items-center justify-between gap-3 py-1">
      <a href={url}>{name}</a>
      <CopyButton text={url} what={`link: ${name}`} />
    </li>
  );
}

/** The same as the link to everything, for whoever drops it on the page /verify. */
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

async function linksTo(
  receiptId: string,
  receipt: AnswerReceipt,
  seed: string,
  held: Parameters<typeof openingOfAll>[2],
  fields: readonly PrivateField[],
) {
  const page = `${baseUrl()}${pagePath("verify", { receiptId })}`;
  const single = fields.map(async (field) => ({
    path: field[0],
    url: `${page}#${await writeFragment(openingOfSome(seed, [field]))}`,
  }));
  const names = (held.names ?? []).map(async (name) => ({
    name: name.name,
    url: `${page}#${await writeFragment({ v: 2, names: [name] })}`,
  }));
  const opening = openingOfAll(receipt, seed, held);
  return {
    opening,
    all: `${page}#${await writeFragment(opening)}`,
    single: await Promise.all(single),
    names: await Promise.all(names),
  };
}
