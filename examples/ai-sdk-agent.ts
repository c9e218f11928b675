// An agent with the Vercel AI SDK. Before each call of its model it is given the memories that its policy allows, and each
// result carries a receipt of what the model was given. A revoke counts for the next call.
//
//     npm install ai            # beside portcullis
//     PORTCULLIS_KEY=<admin's key> node examples/ai-sdk-agent.ts   # Node 22.18 or newer
//     MODEL=<an id of the AI gateway> … uses a real model in place of the scripted one
import { gateway, generateText } from "ai";
import { withPortcullis } from "portcullis/ai-sdk";
import { createClient, type Receipt } from "portcullis/client";
import { scriptedModel } from "./scripted-model.ts";
import { connect, newAgent, url } from "./setup.ts";

// What the operator does: an agent with a key, and a policy.
const admin = connect();
const key = await newAgent(admin, "cook", { captures: ["kitchen", "budget"], uses: ["kitchen", "budget"] });

// What the agent does. It has its own key and nothing else.
const memory = createClient({ baseUrl: url, bearer: key });
await memory.capture({ namespace: "kitchen", content: "Is allergic to peanuts." });
await memory.capture({ namespace: "budget", content: "Spends 80 euros a week on food." });

const { MODEL } = process.env;
if (MODEL === undefined)
  console.log("The model is scripted: it repeats what it was given. Set MODEL to use a real one.");
const model = withPortcullis(MODEL === undefined ? scriptedModel() : gateway(MODEL), { url, key });

async function ask(prompt: string): Promise<void> {
  const { text, providerMetadata } = await generateText({ model, prompt });
  const receipt = providerMetadata?.portcullis?.receipt as unknown as Receipt;
  const used = receipt.usedMemories.map(({ namespace }) => namespace).sort();
  console.log(`\nuser:    ${prompt}\nmodel:   ${text}`);
  console.log(`receipt: ${receipt.evidence.kind} by ${receipt.agentId}, from ${used.join(" and ") || "nothing"}`);
}

await ask("What should I cook tonight?");
await admin.setAccess({ agentId: "cook", namespace: "budget", allowed: false });
console.log("\nThe budget is closed to the cook.");
await ask("What should I cook tonight?");
