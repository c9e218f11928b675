// Receipts of earlier versions hold the snippets of memories. On record they are withheld, so that to forget a memory
// changes no receipt.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { withoutSnippets } from "#core/receipt/disclosure/sealed-form.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";

/** The same body, which is canonical JSON, without any snippet. Commitments take the place of their salts. */
export function withoutText(body: string): string {
  const receipt = JSON.parse(body) as Partial<ViewedReceipt>;
  const { usedMemories, evidence = {} } = receipt;
  if (!usedMemories?.some((memory) => memory.snippet !== undefined)) return body;
  const whole = { ...receipt, usedMemories, evidence } as ViewedReceipt;
  const { evidence: withheld, ...rest } = withoutSnippets(whole, ({ snippet }) => snippet !== undefined);
  return canonicalJson(receipt.evidence === undefined ? rest : { ...rest, evidence: withheld });
}
