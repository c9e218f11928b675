// The transparency log. Who may read a receipt may read its proof; an auditor reads all that its tenant has in the log.
import { PortcullisError } from "#core/errors.ts";
import { toBase64 } from "#core/log/base64.ts";
import { type LogProof, proofFile } from "#core/log/proof-file.ts";
import type { Handlers, Input } from "#http/route-handler.ts";
import { getReceipt } from "#service/receipts/receipts.ts";
import type { Tenant } from "#service/tenant.ts";
import { DEFAULT_PAGE } from "./replies.ts";

type Route = "getReceiptProof" | "getReceiptProofFile" | "getLog" | "listLogEntries" | "getLogConsistency";

export const logHandlers: Pick<Handlers, Route> = {
  async getReceiptProof(tenant, input) {
    const { entry, opened, proof } = await provenReceipt(tenant, input);
    const { checkpoint, index, hashes } = proof;
    return { vkey: await tenant.log.vkey(), entry, opened, proof: { index, hashes: hashes.map(toBase64) }, checkpoint };
  },
  async getReceiptProofFile(tenant, input, { response }) {
    const { proof } = await provenReceipt(tenant, input);
    return response.send({ headers: { "content-type": "text/plain; charset=utf-8" }, body: proofFile(proof) });
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

async function provenReceipt(
  tenant: Tenant,
  { params: { answerId }, principal }: Pick<Input<"getReceiptProof">, "params" | "principal">,
) {
  await getReceipt(tenant, answerId, principal);
  const read = async () => {
    const entries = await tenant.records.log.ofAnswer(answerId);
    const [opened, entry] = ["opened", "issued"].map((kind) =>
      entries.find(({ body }) => JSON.parse(body).kind === kind),
    );
    return opened && entry && { opened, entry, proof: await tenant.log.prove(entry.index) };
  };
  const known = await read();
  const found = known?.proof === undefined ? await tenant.log.sequence().then(read) : known;
  if (found?.proof === undefined)
    throw new PortcullisError(
      "not-in-log",
      "The log has no proof of this receipt yet: it is not complete, or witnesses have yet to cosign, or another service issued it.",
    );
  return { ...found, proof: found.proof as LogProof };
}
