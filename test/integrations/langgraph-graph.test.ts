// The store in a real graph of LangGraph.
import { type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { PortcullisStore } from "#integrations/langgraph/index.ts";
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
