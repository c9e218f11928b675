// What must not compile. `npm run check` compiles this file, and fails on an expected error that is not there. Nothing
// here runs: the functions only have types.
import { expectTypeOf, test } from "vitest";
import type { Client } from "#contract/client/client.ts";
import type { Body } from "#contract/routes.ts";
import type { AnswerReceipt, ForeignReceipt, ReceiptToAnchor } from "#core/receipt/receipt.ts";
import { anchor, anchorOnChain } from "#service/anchoring/anchor.ts";
import type { Tenant } from "#service/tenant.ts";

test("an anchor route takes a receipt or an answer's id, never both, and never neither", () => {
  expectTypeOf<{ receipt: AnswerReceipt }>().toExtend<ReceiptToAnchor>();
  expectTypeOf<{ answerId: string }>().toExtend<ReceiptToAnchor>();
  expectTypeOf<{ receipt: AnswerReceipt; answerId: string }>().not.toExtend<ReceiptToAnchor>();
  expectTypeOf<{ claimNamespaces: string[] }>().not.toExtend<ReceiptToAnchor>();
  expectTypeOf<Body<"anchorReceipt">>().toExtend<ReceiptToAnchor>();
  expectTypeOf<Body<"anchorOnChain">>().toExtend<ReceiptToAnchor>();
});

test("a receipt is not taken for its answer's id", () => {
  expectTypeOf<AnswerReceipt>().not.toExtend<ReceiptToAnchor>();
  expectTypeOf<ForeignReceipt>().not.toExtend<ReceiptToAnchor>();
  expectTypeOf(async (client: Client, tenant: Tenant, receipt: AnswerReceipt) => {
    // @ts-expect-error: it belongs under `receipt`.
    await client.anchorReceipt(receipt);
    // @ts-expect-error: the same, and claims do not change that.
    await client.anchorOnChain({ ...receipt, claimNamespaces: [] });
    // @ts-expect-error: nor does the service take it.
    await anchor(tenant, receipt);
    // @ts-expect-error: nor for the ledger.
    await anchorOnChain(tenant, receipt);
  }).toBeFunction();
});
