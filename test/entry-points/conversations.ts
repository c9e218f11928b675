// Conversations that are learned from. What the extractor was shown comes out as a proposal of its own.
import { createClient } from "#contract/client/client.ts";
import { type EntryPoint, outcomeOrError } from "./entry-point.ts";

const messages = [{ role: "user" as const, content: "What is the secret word?" }];

export const conversationsEntryPoint: EntryPoint = async ({ url, key }) => {
  const client = createClient({ baseUrl: url, bearer: key });
  return {
    reads: {
      async propose() {
        const learned = await client.learn({ messages });
        return { text: JSON.stringify(learned), receipt: learned.receipt };
      },
    },
    probes: {
      "a namespace that it may not write": () => outcomeOrError(() => client.learn({ messages, namespaces: ["x"] })),
      "another default": () => outcomeOrError(() => client.learn({ messages, defaultNamespace: "y", mode: "store" })),
      "another agent's name": () => outcomeOrError(() => client.learn({ messages, agentId: "s" })),
    },
  };
};
