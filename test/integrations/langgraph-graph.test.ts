// The store in a real graph of LangGraph.
import { type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { PortcullisStore, type RememberOptions, rememberConversations } from "#integrations/langgraph/index.ts";
import { gatedWorld } from "./gated-world.ts";

test("a graph remembers in one thread and recalls in another, until the policy says no", async () => {
  const { service, planner, allow } = await gatedWorld();
  const store = new PortcullisStore({ url: service.url, key: planner.key });
  async function respond({ messages }: typeof MessagesAnnotation.State, { store }: LangGraphRunnableConfig) {
    const said = String(messages.at(-1)?.content);
    if (said.startsWith("Remember: ")) await store?.put(["diet"], "last", { text: said.slice("Remember: ".length) });
    const found = (await store?.search(["diet"], { query: said })) ?? [];
    return { messages: [{ role: "assistant", content: found.map(({ value }) => value.text).join() || "nothing" }] };
  }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("respond", respond)
    .addEdge(START, "respond")
    .compile({ store });
  const ask = async (content: string) =>
    (await graph.invoke({ messages: [{ role: "user", content }] })).messages.at(-1)?.content;
  expect(await ask("What do I drink?")).toBe("nothing");
  expect(await ask("Remember: tea")).toBe("tea");
  expect(await ask("What do I drink?")).toBe("tea");
  await allow("planner", "diet", false);
  expect(await ask("What do I drink?")).toBe("nothing");
});

test("a node of a graph learns from what the user said last, and a failure of it fails no graph", async () => {
  const { service, planner, guest } = await gatedWorld();
  const store = new PortcullisStore({ url: service.url, key: planner.key });
  const learned: Parameters<NonNullable<RememberOptions["onLearned"]>>[0][] = [];
  const graphOf = (options: Omit<Extract<RememberOptions, { readonly url: string }>, "url">) =>
    new StateGraph(MessagesAnnotation)
      .addNode("respond", () => ({ messages: [{ role: "assistant", content: "I love figs myself." }] }))
      .addNode(
        "learn",
        rememberConversations({ url: service.url, ...options, onLearned: (each) => learned.push(each) }),
      )
      .addEdge(START, "respond")
      .addEdge("respond", "learn")
      .compile();
  const graph = graphOf({ key: planner.key, defaultNamespace: "diet" });
  const said = (content: string | object[]) => ({ messages: [{ role: "user", content }] as never });
  const { messages } = await graph.invoke(said("I never eat fish. What may I cook?"));
  expect(messages.map(({ content }) => content)).toEqual(["I never eat fish. What may I cook?", "I love figs myself."]);
  await graph.invoke(said([{ type: "text", text: "I love lentils." }]));
  const fact = (content: string) => ({ proposals: [{ content, memoryId: expect.any(String) }] });
  expect(learned).toMatchObject([fact("The user never eats fish."), fact("The user loves lentils.")]);
  const found = await store.search(["diet"], { query: "What does the user eat?" });
  expect(found.map(({ value }) => value.content).sort()).toEqual([
    "The user loves lentils.",
    "The user never eats fish.",
  ]);

  await graph.invoke(said([{ type: "image_url", image_url: "data:," }]));
  expect(learned).toHaveLength(2);
  await graphOf({ key: guest.key, namespaces: ["elsewhere"] }).invoke(said("I love figs."));
  expect(learned.at(-1)).toEqual({ failed: "forbidden" });
});
