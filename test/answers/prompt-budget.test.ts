// Long memories and a model with a small context, over real HTTP: the endpoint refuses as llama.cpp does.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readPrompt } from "#core/prompt/prompt.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
});
afterEach(() => standIn.reset());
afterAll(() => standIn.close());

const ASK = { agentId: "reader", query: "What is in the diary?" };
const LONG = `In the diary stands what happened on that day. `.repeat(160).trim();

const NAMESPACES = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

/** A service with memories of 7,500 characters that the reader may use. */
async function start(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await serviceForTest({
    environment: { MODEL_BASE_URL: standIn.baseUrl, MODEL_NAME: "m", ...environment },
  });
  for (const namespace of NAMESPACES) {
    await service.client.capture({ namespace, content: `${namespace}: ${LONG}`, sourceAgent: "s" });
    await service.client.setAccess({ agentId: ASK.agentId, namespace, allowed: true });
  }
  return service;
}

interface Sent {
  readonly messages: readonly { readonly content: string }[];
}

/** The prompts that arrived, oldest first. */
function prompts() {
  return standIn.received.map(({ json }) => {
    const [system = "", user = ""] = (json as Sent).messages.map(({ content }) => content);
    return { system, user, length: system.length + user.length };
  });
}

const namespacesIn = (user: string) => readPrompt({ system: "", user }).memories.map(({ namespace }) => namespace);
const used = ({ usedMemories }: { usedMemories: readonly { namespace: string }[] }) =>
  usedMemories.map(({ namespace }) => namespace);

test("a prompt keeps to PROMPT_CHARACTERS, and the receipt lists what it holds", async () => {
  const { client } = await start({ PROMPT_CHARACTERS: "4000" });
  const answered = await client.chat(ASK);
  const { receipt } = answered;
  const [{ system = "", user = "", length = 0 } = {}] = prompts();
  expect(length).toBeLessThanOrEqual(4_000);
  const read = readPrompt({ system, user });
  expect(read.memories.length).toBeGreaterThan(0);
  expect(read.memories.length).toBeLessThan(NAMESPACES.length);
  expect(read.memories.every(({ cut }) => cut)).toBe(true);
  expect(used(receipt)).toEqual(namespacesIn(user));
  expect(isCommitted(answered, "/prompt", { system, user })).toBe(true);
});

test.for([{ mode: "whole" }, { mode: "streamed" }])(
  "a prompt that is too long for the model is tried once more with half: $mode",
  async ({ mode }) => {
    const { client } = await start();
    standIn.knobs.contextCharacters = 13_000;
    standIn.knobs.answer = () => "It was a quiet day [1].";
    const pieces: string[] = [];
    const listener = mode === "streamed" ? { onText: (piece: string) => void pieces.push(piece) } : {};
    const answered = await client.chat(ASK, listener);
    const { answer, receipt } = answered;
    const [first, second, ...more] = prompts();
    expect(more).toEqual([]);
    expect(first?.length).toBeGreaterThan(20_000);
    expect(second?.length).toBeLessThanOrEqual(Math.floor((first?.length ?? 0) / 2));
    expect(answer).toBe("It was a quiet day.");
    if (mode === "streamed") expect(pieces.join("")).toBe(answer);
    expect(used(receipt)).toEqual(namespacesIn(second?.user ?? ""));
    expect(receipt.usedMemories.map(({ cited }) => cited)).toEqual(receipt.usedMemories.map((_, i) => i === 0));
    const { system, user } = second ?? {};
    expect(isCommitted(answered, "/prompt", { system, user })).toBe(true);
  },
);

test("a prompt that is too long also with half is a 502 that names the setting", async () => {
  const { client } = await start();
  standIn.knobs.contextCharacters = 5_000;
  await expect(client.chat(ASK)).rejects.toMatchObject({
    status: 502,
    problem: { code: "prompt-too-long", detail: expect.stringContaining("PROMPT_CHARACTERS") },
  });
  expect(prompts().length).toBe(2);
});

test("a model that refuses a prompt in which nothing can be halved is asked once", async () => {
  const service = await start();
  standIn.knobs.contextCharacters = 10;
  await expect(service.client.chat({ ...ASK, agentId: "nobody" })).rejects.toMatchObject({
    problem: { code: "prompt-too-long" },
  });
  expect(prompts().length).toBe(1);
});

test("the second prompt passes the fence too: a namespace that was revoked meanwhile is not in it", async () => {
  const { client } = await start();
  standIn.knobs.contextCharacters = 13_000;
  let revoked: Promise<unknown> | undefined;
  standIn.knobs.latencyMs = async () => {
    // The first prompt has arrived. It is refused only after the revoke was acknowledged.
    revoked ??= client.setAccess({ agentId: ASK.agentId, namespace: "one", allowed: false });
    await revoked;
    return 0;
  };
  const { receipt } = await client.chat(ASK);
  const [first, ...later] = prompts();
  expect(namespacesIn(first?.user ?? "")).toContain("one");
  expect(later.length).toBeGreaterThan(0);
  for (const { user } of later) expect(namespacesIn(user)).not.toContain("one");
  expect(used(receipt)).not.toContain("one");
});
