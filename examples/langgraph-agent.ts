// A LangGraph agent whose long-term memory is behind the gate: its store is a PortcullisStore. It remembers in one
// conversation and recalls in another, and a revoke counts at once.
//
//     npm install @langchain/langgraph @langchain/core      # beside portcullis
//     PORTCULLIS_KEY=<admin's key> node examples/langgraph-agent.ts   # Node 22.18 or newer
import { type LangGraphRunnableConfig, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { PortcullisStore } from "portcullis/langgraph";
import { connect, newAgent, url } from "./setup.ts";

const admin = connect();
const key = await newAgent(admin, "gardener", { captures: ["garden/roses"], uses: ["garden/roses"] });
const store = new PortcullisStore({ url, key });

/** Stands for your model: it gets what was said and what was found, and answers. */
type Model = (said: string, found: readonly string[]) => Promise<string>;
const scripted: Model = async (_, found) =>
  found.length === 0 ? "I do not remember anything." : `I remember: ${found.join(" ")}`;
console.log("The model is scripted: it repeats what was found. Put your own in its place.");

const REMEMBER = "Remember: ";

async function respond({ messages }: typeof MessagesAnnotation.State, { store }: LangGraphRunnableConfig) {
  const said = String(messages.at(-1)?.content);
  if (said.startsWith(REMEMBER)) {
    await store?.put(["garden", "roses"], "last-told", { text: said.slice(REMEMBER.length) });
    return { messages: [{ role: "assistant", content: "I will." }] };
  }
  const found = (await store?.search(["garden"], { query: said, limit: 5 })) ?? [];
  const answer = await scripted(
    said,
    found.map(({ value }) => String(value.text)),
  );
  return { messages: [{ role: "assistant", content: answer }] };
}

const agent = new StateGraph(MessagesAnnotation)
  .addNode("respond", respond)
  .addEdge(START, "respond")
  .compile({ store });

async function say(content: string): Promise<void> {
  const { messages } = await agent.invoke({ messages: [{ role: "user", content }] });
  console.log(`\nuser:  ${content}\nagent: ${messages.at(-1)?.content}`);
}

await say("Remember: the white roses were cut on 3 March.");
await say("When were the roses cut?");
console.log(`\nnamespaces: ${JSON.stringify(await store.listNamespaces({ prefix: ["garden"] }))}`);
await admin.setAccess({ agentId: "gardener", namespace: "garden/roses", allowed: false });
console.log("The garden is closed to the gardener.");
await say("When were the roses cut?");
