// Writes a bundle: all that proves one answer, for whoever verifies it later, without this service.
import { writeFile } from "node:fs/promises";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { askingFrom } from "#cli/shared/verification-sources.ts";
import type { Reply } from "#contract/routes.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { factText } from "#core/memory.ts";
import { type Held, heldFields, openingOfAll, openingOfSome } from "#core/receipt/held-values.ts";
import type { OpeningDocument } from "#core/receipt/opening.ts";
import { type AnswerReceipt, isComplete } from "#core/receipt/receipt.ts";
import { answerBundle } from "#verification/answer-bundle.ts";

export const runs: Runs<"proof"> = {
  async proof(invocation) {
    const [answerId = ""] = invocation.positionals;
    const { values, signal, say, json } = invocation;
    const filters = values.filters === undefined ? undefined : filtersIn(values.filters);
    const service = await openClient(invocation);
    const { client, call } = service;
    const entry = await client.getReceipt({ answerId }, call());
    const opening = values.disclose && (await openingFor(invocation, service, entry, filters));
    const { fetchers, sources } = await askingFrom(service, values["full-node"], signal);
    const bundle = await answerBundle({ client, signal, fetchers, network: sources.network }, entry, { opening });
    if (values.out === undefined) return void (await json(bundle));
    const text = `${JSON.stringify(bundle)}\n`;
    await writeFile(values.out, text).catch((cause) => {
      throw configurationError("The file of --out cannot be written.", cause);
    });
    await say(`${Buffer.byteLength(text)} bytes. Check it: portcullis verify ${values.out}`);
    return undefined;
  },
};

type Entry = Reply<"getReceipt">;

async function openingFor(
  { values }: Invocation<"proof">,
  service: OpenedClient,
  entry: Entry,
  filters: Held["filters"],
): Promise<OpeningDocument> {
  const { receipt, opening, question, names = [], chain } = entry;
  if (opening === undefined || receipt.signature === undefined || !isComplete(receipt))
    throw new PortcullisError("forbidden", "Only its agent and admins can open fields of this receipt.");
  const whole = receipt as AnswerReceipt;
  const paths = new Set(values.disclose);
  const anchor = chain.at(-1);
  const onLedger = new Set(anchor && [receipt.agentId, ...anchor.claimed]);
  const held: Held = {
    question: values.question ?? question,
    filters,
    answer: values.answer,
    blobs: await Promise.all(whole.usedMemories.map(({ memoryId }) => textOf(service, memoryId))),
    names: names.filter(({ name }) => onLedger.has(name)),
  };
  if (paths.has("all")) return openingOfAll(whole, opening.seed, held);
  const fields = heldFields(whole, opening.seed, held).filter(([path]) => paths.has(path));
  const missing = [...paths].find((path) => !fields.some(([known]) => known === path));
  if (missing !== undefined) throw new UsageError(`You do not know a field ${missing} of this receipt.`);
  return openingOfSome(opening.seed, fields);
}

function filtersIn(json: string): Held["filters"] {
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('--filters takes the filters of the request as JSON: {"namespacePrefix":"trips"}.');
  }
}

/** Nothing of a memory that is gone, or that this caller may not read. */
const textOf = ({ client, call }: OpenedClient, memoryId: string): Promise<string | undefined> =>
  client.getMemory({ memoryId }, call()).then(
    ({ memory }) => factText(memory),
    () => undefined,
  );
