import { type CoreClient, ObjectError } from "@mysten/sui/client";
import { normalizeStructTag } from "@mysten/sui/utils";
import { MODULE } from "#adapters/ledger/gate-module.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { LedgerObject } from "#ports.ts";

/** The current version of the object, or undefined when the ledger has no such object or has deleted it. */
export async function findObject(client: CoreClient, objectId: string, ms: number): Promise<LedgerObject | undefined> {
  try {
    const include = { content: true, previousTransaction: true } as const;
    const { object } = await withDeadline(ms, ({ signal }) => client.getObject({ objectId, include, signal }));
    const type = normalizeStructTag(object.type);
    const receipt = type.endsWith(`::${MODULE}::Receipt`) ? readChainReceipt(object.content) : undefined;
    return {
      objectId: object.objectId,
      type,
      isFrozen: object.owner.$kind === "Immutable",
      content: object.content,
      previousTransaction: object.previousTransaction,
      ...(receipt !== undefined && { receipt }),
    };
  } catch (cause) {
    if (cause instanceof ObjectError && cause.reason !== "unknown") return undefined;
    throw new PortcullisError("ledger-unavailable", "The ledger does not answer. Try again shortly.", { cause });
  }
}
