import fc from "fast-check";
import { expect, test } from "vitest";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { type CompletionRequest, questionIn, readRequest, renderRequest } from "#core/prompt/gateway-request.ts";
import { hostileTexts, memoriesOf, namespaces } from "#test/support/arbitraries.ts";

const facts = fc.array(fc.record({ namespace: namespaces, content: hostileTexts }), { maxLength: 8 });

function allowed(given: readonly { readonly namespace: string; readonly content: string }[]) {
  const policy = policyFrom(given.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
  return admit("a", memoriesOf(given), policy);
}

const ROOM = 100_000;
const parsed = (json: string) => JSON.parse(json) as CompletionRequest;

const conversations = fc.array(
  fc.record({ role: fc.constantFrom("system", "user", "assistant", "tool"), content: hostileTexts }),
  { minLength: 1, maxLength: 6 },
);

test("whatever memories and messages hold, only the last message of the user changes, and both can be read back", () => {
  fc.assert(
    fc.property(facts, conversations, hostileTexts, (given, others, question) => {
      fc.pre(question.trim() !== "");
      const messages = [...others.filter(({ role }) => role !== "user"), { role: "user", content: question }];
      const request = { model: "m", messages, temperature: 0.5, tools: [{ type: "function" }] };
      const { request: json, memories } = renderRequest(request, allowed(given), ROOM);
      const forwarded = parsed(json);
      expect(memories).toHaveLength(given.length);
      expect({ ...forwarded, messages: forwarded.messages.slice(0, -1) }).toEqual({
        ...(JSON.parse(JSON.stringify(request)) as object),
        messages: JSON.parse(JSON.stringify(messages.slice(0, -1))),
      });
      const { lines, question: read } = readRequest(forwarded);
      expect(lines.map((line) => JSON.parse(line).content)).toEqual(given.map(({ content }) => content));
      expect(read.trim()).toBe(question.trim());
    }),
  );
});

test("a line has the day of its fact, and what stands before the lines says how to read it", () => {
  const request = { model: "m", messages: [{ role: "user", content: "When?" }] };
  const cat = { namespace: "pets", content: "Adopted a cat.", occurredAt: "2025-03-08T10:00:00.000Z" };
  const [{ content } = { content: "" }] = parsed(renderRequest(request, allowed([cat]), ROOM).request).messages;
  expect(content).toContain('{"n":1,"namespace":"pets","content":"Adopted a cat.","date":"2025-03-08"}');
  expect(content).toMatch(/^Between <memories>.* One with "date" is about that day, or was told on it/);
});

test("after a tool has answered, the memories stand in the last message of the user, before the calls", () => {
  const messages = [
    { role: "user", content: "Book a table." },
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "tool", tool_call_id: "1", content: "Where?" },
  ];
  const { request } = renderRequest({ model: "m", messages }, allowed([{ namespace: "diet", content: "Fish." }]), ROOM);
  const [first, ...rest] = parsed(request).messages;
  expect(first?.content).toMatch(/^Between <memories>.*"content":"Fish\.".*<\/memories>\n\nBook a table\.$/s);
  expect(rest).toEqual(messages.slice(1));
});

test("a message of parts gets one more, and its question is the text of all", () => {
  const parts = [
    { type: "text", text: "What is on this picture?" },
    { type: "image_url", image_url: { url: "data:," } },
    { type: "text", text: "May I eat it?" },
  ];
  const request = { model: "m", messages: [{ role: "user", content: parts }] };
  expect(questionIn(request)).toBe("What is on this picture?\nMay I eat it?");
  const { request: json } = renderRequest(request, allowed([{ namespace: "diet", content: "Fish." }]), ROOM);
  const [{ content } = { content: [] }] = parsed(json).messages;
  expect((content as unknown[]).slice(1)).toEqual(parts);
});

test("without a memory the request is forwarded as it is, and without room no memory is added", () => {
  const request = { model: "m", messages: [{ role: "user", content: "Hello" }] };
  expect(parsed(renderRequest(request, [], ROOM).request)).toEqual(request);
  const { memories, request: json } = renderRequest(request, allowed([{ namespace: "diet", content: "Fish." }]), 100);
  expect(memories).toEqual([]);
  expect(parsed(json)).toEqual(request);
});

test("a request without words of the user is refused by the place where they are missing", () => {
  const fieldsOf = (messages: CompletionRequest["messages"]) => {
    try {
      return questionIn({ model: "m", messages });
    } catch (error) {
      return (error as { fields: unknown }).fields;
    }
  };
  expect(fieldsOf([{ role: "system", content: "Be kind." }])).toEqual([
    { pointer: "#/messages", detail: "must have a message of the user" },
  ]);
  expect(fieldsOf([{ role: "user", content: [{ type: "image_url" }] }])).toEqual([
    { pointer: "#/messages/0/content", detail: "must have text" },
  ]);
});
