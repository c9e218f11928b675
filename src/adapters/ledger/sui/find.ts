import { type CoreClient, ObjectError } from "@mysten/sui/client";
import { normalizeStructTag } from "@mysten/sui/utils";
import { PortcullisError } from "../../../core/errors.ts";
import type { ChainReceipt } from "../../../core/verify.ts";
import type { LedgerObject } from "../../../ports.ts";
import { MODULE, Receipt } from "../gate-module.ts";
import { within } from "./send.ts";

/** The object as the ledger has it, or undefined when it has none (any more). */
export async function findObject(client: CoreClient, objectId: string, ms: number): Promise<LedgerObject | undefined> {
  try {
    const include = { content: true, previousTransaction: true } as const;
    const { object } = await within(ms, (signal) => client.getObject({ objectId, include, signal }));
    const type = normalizeStructTag(object.type);
    const receipt = type.endsWith(`::${MODULE}::Receipt`) ? decode(object.content) : undefined;
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

/** Another package may have a type of this name with another layout. */
function decode(content: Uint8Array): ChainReceipt | undefined {
  try {
    const { gate, agent, blob_id, digest, claimed, all_authorized, issued, policy_version, anchored_at_ms } =
      Receipt.parse(content);
    return {
      gate,
      agent,
      blobId: blob_id,
      digest: Buffer.from(digest).toString("hex"),
      claimed,
      allAuthorized: all_authorized,
      issued,
      policyVersion: policy_version,
      anchoredAtMs: Number(anchored_at_ms),
    };
  } catch {
    return undefined;
  }
}
