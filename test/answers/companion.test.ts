// The health companion names the namespaces that were revoked from it, in the service's own words, and answers from the
// others.
import { expect, test } from "vitest";
import { HELP_WAS_URGED } from "#core/prompt/template.ts";
import { recordingModel } from "#test/support/models.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const DINNER = { query: "What should I know about dinner on Friday?" };

async function revoke({ client }: Service, ...namespaces: string[]): Promise<void> {
  for (const namespace of namespaces) await client.setAccess({ agentId: "companion", namespace, allowed: false });
}

test("the companion passes the gate under its own agent id", async () => {
  const { client } = await serviceForTest();
  const { answer, receipt } = await client.companion(DINNER);
  expect(receipt.agentId).toBe("companion");
  expect(receipt.blockedNamespaces).toEqual(["finance", "travel", "work"]);
  expect(answer).toContain("peanut allergy");
  expect(answer).not.toContain("closed");
});

test("the companion does not mention a namespace that was never opened to it, though it is blocked", async () => {
  const { client } = await serviceForTest();
  const { answer, receipt } = await client.companion({ query: "How much do I save?" });
  expect(receipt.blockedNamespaces).toContain("finance");
  expect(answer).not.toMatch(/finance|closed|euros/);
});

test("the companion names a revoked namespace first, and answers from the others", async () => {
  const service = await serviceForTest();
  await revoke(service, "health");
  const answered = await service.client.companion(DINNER);
  const { answer, receipt } = answered;
  expect(answer).toMatch(/^You have closed health to me/);
  expect(answer).toContain("Lotus");
  expect(answer).not.toContain("allergy");
  expect(receipt.blockedNamespaces).toEqual(["finance", "health", "travel", "work"]);
  expect(receipt.usedMemories.map(({ namespace }) => namespace)).not.toContain("health");
  expect(isCommitted(answered, "/answer", answer)).toBe(true);
});

test("the companion names every revoked namespace", async () => {
  const service = await serviceForTest();
  await revoke(service, "health", "diet");
  const { answer, receipt } = await service.client.companion({ query: "How is my knee on runs?" });
  const [preface = "", rest = ""] = answer.split("\n\n");
  expect(preface).toContain("health");
  expect(preface).toContain("diet");
  expect(rest).toContain("knee");
  expect(receipt.evidence.model).toBe("portcullis-extractive-2");
});

test("the companion asks no model when everything is revoked: its preface is the whole answer", async () => {
  const model = recordingModel();
  const service = await serviceForTest({ overrides: { model } });
  await revoke(service, "health", "diet", "fitness");
  const answered = await service.client.companion(DINNER);
  const { answer, receipt } = answered;
  expect(answer).toMatch(/^You have closed .*diet.*fitness.*health.* to me[^\n]*$/);
  expect(model.prompts).toEqual([]);
  expect(receipt.usedMemories).toEqual([]);
  expect(receipt.evidence).toMatchObject({ kind: "answered", model: null, template: null });
  expect(Object.keys(receipt.evidence.commitments)).toEqual(["/answer", "/question"]);
  expect(isCommitted(answered, "/answer", answer)).toBe(true);
});

test("a possible emergency is answered first with the advice to call for help, then with what helpers should know", async () => {
  const { client } = await serviceForTest();
  const answered = await client.companion({ query: "I can't breathe, my throat is swelling" });
  const { answer, receipt } = answered;
  expect(answer).toMatch(/^Please call emergency services now: 112, 911 /);
  expect(answer.match(/112/g)).toHaveLength(1);
  expect(answer).toContain("adrenaline pen");
  expect(receipt.evidence.template).toBe("companion-urgent/1");
  expect(isCommitted(answered, "/answer", answer)).toBe(true);
});

test("in a possible emergency the advice comes before the namespaces that were revoked", async () => {
  const service = await serviceForTest();
  await revoke(service, "health");
  const { answer } = await service.client.companion({ query: "Ich bekomme keine Luft" });
  const [first, second] = answer.split("\n\n");
  expect(first).toMatch(/^Bitte ruf sofort den Notruf: 112/);
  expect(second).toMatch(/^You have closed health to me/);
  expect(answer).not.toContain("adrenaline");
});

test("a possible emergency is answered with the advice although everything is revoked", async () => {
  const service = await serviceForTest();
  await revoke(service, "health", "diet", "fitness");
  const { answer, receipt } = await service.client.companion({ query: "I can't breathe" });
  expect(answer).toMatch(/^Please call emergency services now: 112, 911 [^\n]*\n\nYou have closed [^\n]*$/);
  expect(receipt.evidence.model).toBeNull();
});

test("whatever model answers, an emergency opens with the advice, and the model is told so", async () => {
  const model = recordingModel();
  const { client } = await serviceForTest({ overrides: { model } });
  await client.companion({ query: "I have chest pain" });
  await client.companion({ query: "How is my knee on runs?" });
  expect(model.prompts.map(({ system }) => system.includes(HELP_WAS_URGED))).toEqual([true, false]);
});

test("the companion does not mention a namespace that is open again", async () => {
  const service = await serviceForTest();
  await revoke(service, "health");
  await service.client.setAccess({ agentId: "companion", namespace: "health", allowed: true });
  const { answer } = await service.client.companion(DINNER);
  expect(answer).not.toContain("closed");
  expect(answer).toContain("peanut allergy");
});

test("a receipt of an answer without a model can be anchored like any other", async () => {
  const service = await serviceForTest();
  await revoke(service, "health", "diet", "fitness");
  const { receipt } = await service.client.companion(DINNER);
  const { blobId, verified } = await service.client.anchorReceipt({ receipt });
  expect(verified).toBe(true);
  expect(await service.tenant.records.anchors.page({ limit: 10 })).toMatchObject([{ blobId, issued: true }]);
});
