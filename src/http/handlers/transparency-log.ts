// The transparency log. Who may read a receipt may read its proof; an auditor reads all that its tenant has in the log.
import type { Reply } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { toBase64 } from "#core/log/base64.ts";
import { type LogProof, proofFile } from "#core/log/checkpoint.ts";
import type { DisclosedEntry } from "#core/log/entry.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { Handlers, Input } from "#http/route-handler.ts";
import { getTombstone } from "#service/memories/forget.ts";
import { getReceipt, type ReceiptEntry } from "#service/receipts/receipts.ts";
import type { Tenant } from "#service/tenant.ts";
import { behindFence, DEFAULT_PAGE } from "./replies.ts";

type Route = "getReceiptProof" | "getReceiptProofFile" | "getLog" | "listLogEntries" | "getLogConsistency";

export const logHandlers: Pick<Handlers, Route> = {
  getReceiptProof: behindFence<"getReceiptProof">(async (tenant, input) => {
    const { vkey, checkpoint, entries, anchored, quoted } = await provenReceipt(tenant, input);
    const proven = entries.map(({ hashes, ...one }) => ({ ...one, hashes: hashes.map(toBase64) }));
    const [entry, opened, key, ...dated] = proven;
    const more = {
      ...(anchored && { anchored: { ...anchored, hashes: anchored.hashes.map(toBase64) } }),
      ...(dated.length > 0 && { dated }),
    };
    const value = { vkey, entry, opened, key, checkpoint, ...more };
    return { value: value as Reply<"getReceiptProof">, quoted };
  }),
  async getReceiptProofFile(tenant, input, { response }) {
    const { checkpoint, entries } = await provenReceipt(tenant, input);
    const body = proofFile({ ...(entries[0] as Omit<LogProof, "checkpoint">), checkpoint });
    return response.send({ headers: { "content-type": "text/plain; charset=utf-8" }, body });
  },
  async getLog({ log, records }) {
    const end = await records.log.end();
    const { note } = await log.published();
    return { vkey: await log.vkey(), ...end, checkpoint: note };
  },
  async listLogEntries({ records, log }, { query: { after = 0, limit = DEFAULT_PAGE, chain = "tenant" } }) {
    const own = chain === "tenant" ? records.log : log.deployment;
    return { entries: [...(await own.entries({ after, limit }))] };
  },
  async getLogConsistency({ log }, { query: { from, to } }) {
    const hashes = await log.consistency(from, to);
    if (hashes === undefined) throw new PortcullisError("not-found", "The log has no such trees. Sizes grow.");
    return { hashes: hashes.map(toBase64) };
  },
};

/** That `issued`, `opened` and the signing key are in the log, and with them what dates tombstones. */
async function provenReceipt(
  tenant: Tenant,
  { params: { answerId }, principal }: Pick<Input<"getReceiptProof">, "params" | "principal">,
) {
  const { receipt } = await getReceipt(tenant, answerId, principal);
  const isOf = ({ body }: DisclosedEntry, wanted: string) => {
    const { kind, state, publicKey } = JSON.parse(body);
    return kind === wanted || (state === wanted && keyIdOf(Buffer.from(publicKey, "hex")) === receipt.signature?.keyId);
  };
  const read = async () => {
    const keys = await tenant.log.deployment.ofKind("signing-key");
    const known = [...(await tenant.records.log.ofAnswer(answerId)), ...keys];
    if (known.some((entry) => isOf(entry, "imported"))) throw new PortcullisError("not-found", IMPORTED);
    const wanted = ["issued", "opened", "begun"].map((kind) => known.find((entry) => isOf(entry, kind)));
    const entries = wanted.filter((entry) => entry !== undefined);
    const { forgotten, quoted } = await forgottenOf(tenant, receipt, principal);
    const dating = forgotten.length > 0 ? keys : keys.filter((entry) => isOf(entry, "ended"));
    const dated = [...dating, ...forgotten].filter((entry) => !entries.includes(entry));
    if (entries.length < wanted.length) return undefined;
    const proven = await tenant.log.prove(entries, dated, receipt.evidence.log?.origin);
    return proven && { ...proven, quoted };
  };
  const found = (await read()) ?? (await tenant.log.sequence().then(read));
  if (found === undefined)
    throw new PortcullisError(
      "not-in-log",
      "The log has no proof of this receipt yet: it is not complete, or witnesses have yet to cosign, or another service issued it.",
    );
  return found;
}

const IMPORTED = "The receipt was imported: the log that it names has its entry, and not this one.";

/** The entries of used memories that were forgotten, as far as the caller may read their tombstones. */
async function forgottenOf(tenant: Tenant, { usedMemories }: ReceiptEntry["receipt"], principal: Principal) {
  const { ofForgotten } = tenant.records.log;
  const ids = usedMemories.map(({ memoryId }) => memoryId);
  if ((await ofForgotten(ids)).length === 0) return { forgotten: [], quoted: [] };
  const read = (id: string) => getTombstone(tenant, principal, id).catch(() => undefined);
  const readable = (await Promise.all(ids.map(read))).filter((found) => found !== undefined);
  return {
    forgotten: await ofForgotten(readable.map(({ tombstone }) => tombstone.memoryId)),
    quoted: readable.map(({ tombstone: { namespace }, isPublic }) => ({ namespace, isPublic })),
  };
}
