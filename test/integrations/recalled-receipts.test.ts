// What a model that is not ours was given is called "recalled", and not "answered".
import { generateText } from "ai";
import { expect, test } from "vitest";
import { withPortcullis } from "#integrations/ai-sdk/index.ts";
import { gatedWorld } from "./gated-world.ts";
import { scriptedModel } from "./scripted-model.ts";

test("the page of a proof says of each receipt whether memories were recalled or a question was answered", async () => {
  const { service, planner } = await gatedWorld();
  await planner.client.capture({ namespace: "diet", content: "Loves mango." });
  const model = withPortcullis(scriptedModel(), { url: service.url, key: planner.key });
  const { providerMetadata } = await generateText({ model, prompt: "Fruit?" });
  const recalled = providerMetadata?.portcullis?.receipt as unknown as { answerId: string };
  const { receipt: answered } = await planner.client.chat({ query: "Fruit?" });
  async function factsOf({ answerId }: { readonly answerId: string }, sealed: boolean): Promise<string[]> {
    const { verifyPath } = await planner.client.anchorOnChain({ answerId, sealed });
    const page = await fetch(`${service.url}${verifyPath}`, { headers: { accept: "text/html" } });
    return [...(await page.text()).matchAll(/<dt>(Answered|Recalled)<\/dt>/g)].map(([, name = ""]) => name);
  }
  expect([await factsOf(recalled, false), await factsOf(answered, false)]).toEqual([["Recalled"], ["Answered"]]);
  const { receipt: another } = await planner.client.recall({ query: "Fruit?" });
  expect(await factsOf(another as { answerId: string }, true)).toEqual(["Recalled"]);
});
