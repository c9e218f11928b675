// The adapter for the Vercel AI SDK. What it gave to the model counts as what came out.
import { generateText, isStepCount, streamText } from "ai";
import { portcullisTools, withPortcullis } from "#integrations/ai-sdk/index.ts";
import { scriptedModel } from "#test/integrations/scripted-model.ts";
import { type EntryPoint, type Outcome, outcomeOrError } from "./entry-point.ts";

const prompt = "What is the secret word?";

export const aiSdkEntryPoint: EntryPoint = async (visitor) => {
  const receiptIn = (metadata: unknown) => (metadata as { portcullis: Required<Outcome> }).portcullis.receipt;
  return {
    reads: {
      async generateText() {
        const inner = scriptedModel();
        const result = await generateText({ model: withPortcullis(inner, visitor), prompt });
        return { text: JSON.stringify([inner.prompts(), result]), receipt: receiptIn(result.providerMetadata) };
      },
      async streamText() {
        const inner = scriptedModel();
        const result = streamText({ model: withPortcullis(inner, visitor), prompt });
        const parts = await Array.fromAsync(result.stream);
        return { text: JSON.stringify([inner.prompts(), parts]), receipt: receiptIn(await result.providerMetadata) };
      },
      async "tool recall"() {
        const input = JSON.stringify({ query: prompt });
        const inner = scriptedModel(
          { type: "tool-call", toolCallId: "1", toolName: "recall", input },
          { type: "text", text: "" },
        );
        const tools = portcullisTools(visitor);
        const { steps } = await generateText({ model: inner, prompt, tools, stopWhen: isStepCount(2) });
        return { text: JSON.stringify([inner.prompts(), steps]) };
      },
    },
    probes: {
      "another agent's name": () =>
        outcomeOrError(() =>
          generateText({ model: withPortcullis(scriptedModel(), { ...visitor, agentId: "s" }), prompt }),
        ),
    },
  };
};
