// The life of a receipt: it is begun before the prompt leaves, and complete and signed before the answer is released, or
// broken off. Each is on record before anybody goes on. A complete one can be anchored (service/anchoring).
import { digestHex } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import * as core from "#core/receipt/receipt.ts";
import { ANSWER, commitToHidden, FILTERS, PROMPT, QUESTION, seal, signedBytes } from "#core/receipt/sealed-form.ts";
import { signatureDigestOf } from "#core/receipt/signature.ts";
import type { BrokenOff, KeptQuestion, ReceiptRecords } from "#ports.ts";
import * as answers from "#service/answers/answered.ts";
import { type BlobChecks, usedMemories } from "#service/answers/check-blobs.ts";
import type { Call } from "#service/call.ts";
import { answerDecision } from "#service/decisions/decision-log.ts";
import type { AgentAccess, GateView } from "#service/recall/search.ts";
import type { Tenant } from "#service/tenant.ts";
import { begunRecordOf, issuedReceiptOf } from "./receipts.ts";

export type Answerer = Issuer & Pick<Tenant, "attempts" | "blobs">;

type Issuer = Pick<
  Tenant,
  "records" | "ledger" | "newId" | "newSeed" | "now" | "brokenOff" | "signer" | "log" | "cipher" | "settings"
>;

export async function beginReceipt(
  tenant: Issuer,
  access: AgentAccess,
  asked: answers.AskedPrompt,
  call?: Call,
): Promise<answers.BegunOnRecord> {
  const { prompt, memories, model, template, askedAt } = asked;
  const seed = tenant.newSeed();
  const ledgerVersion = ledgerVersionNow(tenant);
  const commitments = commitToHidden(seed, [[PROMPT, prompt], ...askedFields(access)]);
  const { policyDigest, policyVersion } = access;
  const receipt: core.BegunReceipt = {
    ...headOf(tenant, access, askedAt),
    evidence: { commitments, kind: "answered", ledgerVersion, model, policyDigest, policyVersion, template, v: 2 },
    usedMemories: memories.map(core.memoryInPrompt),
  };
  const written = tenant.records.receipts.begin({
    ...begunRecordOf(receipt, access.blockedNamespaces),
    policyVersion,
    seed: await seedOnRecord(tenant, receipt.answerId, seed, usesEncrypted(memories)),
  });
  const onRecord = await answers.whenOnRecord(written, receipt, breakOffOf(tenant, access, receipt, call));
  return { ...onRecord, seed, commitments, ledgerVersion };
}

const askedFields = ({ query, filters }: AgentAccess): [path: string, value: unknown][] => [
  [QUESTION, query],
  ...(filters === undefined ? [] : [[FILTERS, filters] as [string, unknown]]),
];

interface Parts {
  readonly answer: string;
  /** Of the memories that were recalled. The prompt may have held fewer. */
  readonly checks: BlobChecks;
  readonly asked: answers.ModelAnswer;
}

export function issueReceipt(tenant: Issuer, access: AgentAccess, parts: Parts, call?: Call): Promise<answers.Issued> {
  const { answer, checks, asked } = parts;
  const { memories, cited, model, template, begun } = asked;
  const used = usedMemories(memories, checks, cited);
  const isEncrypted = usesEncrypted(memories);
  const content = { used, isEncrypted, kind: "answered" as const, model, template, answer, begun };
  return issue(tenant, access, answer, content, call);
}

const NO_MODEL = { model: null, template: null };

/** For an answer in the service's own words: no model was asked, and no memory was used. */
export function issueWithoutMemories(
  tenant: Issuer,
  access: AgentAccess,
  answer: string,
  call?: Call,
): Promise<answers.Issued<answers.AnsweredWithoutMemories>> {
  const content = { used: [] as const, isEncrypted: false, kind: "answered" as const, ...NO_MODEL, answer };
  return issue(tenant, access, answer, content, call);
}

/** For memories that were given to the caller: no model was asked, and the memories are the answer. */
export function issueForMemories(
  tenant: Issuer,
  view: GateView,
  checks: BlobChecks,
  call?: Call,
): Promise<answers.Issued> {
  const whole = view.memories.map((memory) => ({ memory, given: memory.content.length }));
  const used = usedMemories(whole, checks);
  const answer = core.givenTexts(view.memories);
  const content = { used, isEncrypted: usesEncrypted(whole), kind: "recalled" as const, ...NO_MODEL, answer };
  return issue(tenant, view, "", content, call);
}

const usesEncrypted = (given: readonly GivenMemory[]): boolean => given.some(({ memory }) => memory.encrypted);

interface Content<Used> extends Pick<core.Evidence, "kind" | "model" | "template"> {
  readonly used: Used;
  readonly isEncrypted: boolean;
  readonly answer: unknown;
  /** The receipt of the prompt that was answered. */
  readonly begun?: answers.BegunOnRecord;
}

async function issue<Used extends readonly core.UsedMemory[]>(
  tenant: Issuer,
  access: AgentAccess,
  text: string,
  { used, isEncrypted, kind, model, template, answer, begun }: Content<Used>,
  call: Call | undefined,
): Promise<answers.Issued<answers.Answered & { receipt: { usedMemories: Used } }>> {
  const seed = begun?.seed ?? tenant.newSeed();
  const known = begun?.commitments ?? commitToHidden(seed, askedFields(access));
  const commitments = { ...commitToHidden(seed, [[ANSWER, answer]]), ...known };
  const ledgerVersion = begun === undefined ? ledgerVersionNow(tenant) : begun.ledgerVersion;
  const { policyDigest, policyVersion } = access;
  const log = await tenant.log.promise(tenant.now());
  const { open, sealed, recorded } = seal(seed, {
    ...(begun ? begunHead(access, begun) : headOf(tenant, access)),
    evidence: { commitments, kind, ledgerVersion, log, model, policyDigest, policyVersion, template, v: 2 },
    usedMemories: used,
  });
  const { usedMemories: _, ...fields } = open;
  const signed = signedBytes(sealed);
  const signature = await tenant.signer.signBytes(signed);
  const receipt = { ...fields, signature, usedMemories: used };
  const { answerId, createdAt: at } = receipt;
  const row = answerDecision(call, access, { answerId, at, outcome: "answered" });
  const breakOff = breakOffOf(tenant, access, receipt, call);
  // In place of the begun one, if there is one.
  const written = tenant.records.receipts.add(
    {
      ...issuedReceiptOf(receipt, access.blockedNamespaces, { ...receipt, ...recorded }),
      sealedDigest: digestHex(signed),
      signatureDigest: signatureDigestOf(signature),
      wasBegun: begun !== undefined,
      policyVersion,
      seed: await seedOnRecord(tenant, answerId, seed, isEncrypted),
      question: await questionOnRecord(tenant, answerId, access, isEncrypted),
    },
    row,
  );
  const onRecord = await answers.whenOnRecord(written, receipt, breakOff).catch((error) => {
    // When the connection to the database is lost, the commit may have happened. The answer is not released.
    if (error instanceof PortcullisError && error.code === "records-unavailable") breakOff("records-failed");
    throw error;
  });
  return { answered: { answer: text, receipt, opening: { v: 2, seed: Buffer.from(seed).toString("hex") } }, onRecord };
}

/** What was read longer ago says too little about the time of the answer. */
const LEDGER_VERSION_MS = 60_000;

/** When somebody else changes the policy on the ledger: the version there that was last read, if that was a moment ago. */
function ledgerVersionNow({ ledger, now }: Issuer): core.Evidence["ledgerVersion"] {
  const read = ledger.policyVersion();
  if (read === undefined || now().getTime() - Date.parse(read.readAt) > LEDGER_VERSION_MS) return undefined;
  return read.version;
}

/** The first fields, in the order of canonical JSON, which is then the fastest to write. */
function headOf({ newId, now }: Issuer, access: AgentAccess, at = now()) {
  // The id begins with the receipt's time, so that receipts are found by time.
  const answerId = newId("ans", at.getTime());
  return begunHead(access, { answerId, createdAt: at.toISOString() });
}

function begunHead(
  { agentId, blockedNamespaces }: AgentAccess,
  { answerId, createdAt }: Pick<answers.BegunOnRecord, "answerId" | "createdAt">,
) {
  return { agentId, answerId, ...core.blockedFields(blockedNamespaces), createdAt };
}

/** A seed confirms guesses to whoever has a copy of the database. So it is encrypted where there is a key. */
async function seedOnRecord({ cipher }: Issuer, answerId: string, bytes: Uint8Array, usesEncrypted: boolean) {
  const seed = Buffer.from(bytes).toString("hex");
  return usesEncrypted || cipher.status() === "ready" ? cipher.encryptSeed(answerId, seed) : seed;
}

/** Never where it may say what is encrypted or withdrawn, and never in the clear when there is a key. */
async function questionOnRecord(
  { settings, cipher }: Issuer,
  answerId: string,
  { query, keepsQuestion = settings.keepQuestions, recalledEncrypted = false, isAgain = false }: AgentAccess,
  isEncrypted: boolean,
): Promise<KeptQuestion | undefined> {
  const isKept = keepsQuestion && !isEncrypted && !recalledEncrypted && !isAgain;
  if (!isKept || cipher.status() === "other-key") return undefined;
  if (cipher.status() === "no-key") return { text: query, encrypted: false };
  return { text: await cipher.encryptQuestion(answerId, query), encrypted: true };
}

function breakOffOf(
  { brokenOff, now }: Issuer,
  access: AgentAccess,
  { answerId, agentId }: Pick<core.BegunReceipt, "answerId" | "agentId">,
  call: Call | undefined,
): answers.OnRecord["breakOff"] {
  return (reason) => {
    const at = now().toISOString();
    const row = answerDecision(call, access, { answerId, at, outcome: "broken-off" });
    brokenOff.mark({ answerId, agentId, at, reason, decision: row });
  };
}

// Marks receipts as broken off. Nobody waits for a mark, and one that cannot be recorded is tried again.

const RETRY_MS = 5_000;
/** More than these are given up. They stay begun, and are taken for abandoned later. */
const MOST_WAITING = 10_000;

export function createBrokenOffQueue(
  receipts: Pick<ReceiptRecords, "breakOff">,
  { retryMs = RETRY_MS, mostWaiting = MOST_WAITING } = {},
): Tenant["brokenOff"] {
  let waiting: BrokenOff[] = [];
  let isWaiting = false;

  function record(broken: BrokenOff): void {
    receipts.breakOff(broken).catch(() => {
      if (waiting.length < mostWaiting) waiting.push(broken);
      if (!isWaiting) setTimeout(retry, retryMs).unref();
      isWaiting = true;
    });
  }

  function retry(): void {
    isWaiting = false;
    const again = waiting;
    waiting = [];
    for (const broken of again) record(broken);
  }

  return { mark: record };
}
