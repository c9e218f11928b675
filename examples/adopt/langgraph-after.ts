// A program with LangGraph that finds what it remembers in a store.
import { type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { PortcullisStore } from "portcullis/langgraph";

const store = new PortcullisStore({ url: process.env.PORTCULLIS_URL ?? "", key: process.env.PORTCULLIS_KEY });

async function respond({ messages }: typeof MessagesAnnotation.State, { store }: LangGraphRunnableConfig) {
  const found = await store?.search(["diet"], { query: String(messages.at(-1)?.content) });
  return { messages: [{ role: "assistant", content: found?.map(({ value }) => value.content).join(" ") ?? "" }] };
}

const graph = new StateGraph(MessagesAnnotation).addNode("respond", respond).addEdge(START, "respond");
const { messages } = await graph.compile({ store }).invoke({
  messages: [{ role: "user", content: "What should I avoid at dinner?" }],
});
console.log(messages.at(-1)?.content || "I remember nothing.");
