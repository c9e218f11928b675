// The bundle of an answer, from the service that gave it: for the command line and for the app.
import type { Client } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import { isPromptTemplate, systemText } from "#core/prompt/template.ts";
import { type AnswerReceipt, isComplete } from "#core/receipt/receipt.ts";
import { sealedReceiptOf, signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { type Bundle, fetchBundle } from "./bundle.ts";
import type { Fetchers } from "./observe.ts";

interface Asked {
  readonly client: Pick<Client, "getTrustRoot" | "getReceiptProof" | "getLog">;
  readonly signal: AbortSignal;
  readonly fetchers: Fetchers;
  readonly network: string;
}

interface Chosen {
  readonly opening?: Bundle["opening"];
  /** Of a receipt that is not anchored: whether the bundle shows what the receipt does, or its sealed form. */
  readonly isOpen?: boolean;
}

/** Of the newest anchor, if there is one. */
export async function answerBundle(
  { client, signal, fetchers, network }: Asked,
  { receipt, chain }: Reply<"getReceipt">,
  { opening, isOpen = false }: Chosen = {},
): Promise<Bundle> {
  if (!isComplete(receipt))
    throw new PortcullisError("not-found", "The answer broke off, or is not complete yet: it has no signed receipt.");
  const whole = receipt as AnswerReceipt;
  const anchor = chain.at(-1);
  const { keys } = await client.getTrustRoot({ signal });
  const log = await logProofOf(client, receipt.answerId, signal);
  const { template } = receipt.evidence;
  const form = isOpen && signedReceiptFault(whole) === undefined ? whole : sealedReceiptOf(whole);
  const bundle = await fetchBundle(fetchers, {
    ...(anchor ? { receiptId: anchor.receiptId } : { receipt: form }),
    network,
    ...(opening !== undefined && { opening }),
    ...(log && { log }),
    keys,
    ...(template !== null && isPromptTemplate(template) && { templates: { [template]: systemText(template) } }),
  });
  if (bundle === undefined) throw new PortcullisError("ledger-unavailable", "The service does not name its package.");
  return bundle;
}

/** Without its entries where the log does not have them. Nothing where the service says nothing. */
const logProofOf = (client: Asked["client"], answerId: string, signal: AbortSignal) =>
  client
    .getReceiptProof({ answerId }, { signal })
    .catch(async (error) => {
      // Of a receipt that was imported, this log says nothing.
      if ((error as { code?: unknown }).code === "not-found") return undefined;
      const { vkey, checkpoint } = await client.getLog({ signal });
      return { vkey, checkpoint };
    })
    .catch(() => undefined);
