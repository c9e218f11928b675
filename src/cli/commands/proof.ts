// Writes a bundle: all that proves one answer, for whoever verifies it later, without this service.
import { writeFile } from "node:fs/promises";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { askingFrom } from "#cli/shared/verification-sources.ts";
import type { Client } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
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
    const { client } = service;
    const entry = await client.getReceipt({ answerId });
    const opening = values.disclose && (await openingFor(invocation, client, entry, filters));
    const { fetchers, sources } = await askingFrom(service, values.fullNode, signal);
    const bundle = await answerBundle({ client, signal, fetchers, network: sources.network }, entry, { opening });
    if (values.out === undefined) return json(bundle);
    const text = `${JSON.stringify(bundle)}\n`;
    await writeFile(values.out, text).catch((cause) => {
      throw configurationError("The file of --out cannot be written.", cause);
    });
    return say(`${Buffer.byteLength(text)} bytes. Check it: portcullis verify ${values.out}`);
  },
};

async function openingFor(
  { values }: Invocation<"proof">,
  client: Client,
  entry: Reply<"getReceipt">,
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
    blobs: await Promise.all(whole.usedMemories.map(({ memoryId }) => textOf(client, memoryId))),
    names: names.filter(({ name }) => onLedger.has(name)),
  };
  if (paths.has("all")) return openingOfAll(whole, opening.seed, held);
  const fields = heldFields(whole, opening.seed, held).filter(([path]) => paths.has(path));
  const missing = [...paths].find((path) => !fields.some(([known]) => known === path));
  if (missing !== undefined) throw new UsageError(`You do not know a field ${missing} of this receipt.`);
  return openingOfSome(opening.seed, fields);
}

function filtersIn(json: string): Held["filters"] {
  const filters = orUndefined(() => JSON.parse(json));
  if (filters !== undefined) return filters;
  throw new UsageError('--filters takes the filters of the request as JSON: {"namespacePrefix":"trips"}.');
}

/** Nothing of a memory that is gone, or that this caller may not read. */
const textOf = (client: Client, memoryId: string): Promise<string | undefined> =>
  client.getMemory({ memoryId }).then(
    ({ memory }) => factText(memory),
    () => undefined,
  );
