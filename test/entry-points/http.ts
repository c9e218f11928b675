// The HTTP interface itself, by the typed client.
import { createClient } from "#contract/client/client.ts";
import { type EntryPoint, outcomeOrError } from "./entry-point.ts";
import { NAMESPACES } from "./policies.ts";

const query = "What is the secret word?";

export const httpEntryPoint: EntryPoint = async ({ url, key }) => {
  const client = createClient({ baseUrl: url, bearer: key });
  return {
    reads: {
      async chat() {
        const answered = await client.chat({ query });
        return { text: JSON.stringify(answered), receipt: answered.receipt };
      },
      async "chat in pieces"() {
        const pieces: string[] = [];
        const onText = (piece: string) => pieces.push(piece);
        const answered = await client.chat({ query }, { onText, onGate: (gate) => onText(JSON.stringify(gate)) });
        return { text: `${pieces.join("")}\n${JSON.stringify(answered)}`, receipt: answered.receipt };
      },
      async recall() {
        const { receipt, ...recalled } = await client.recall({ query });
        return { text: JSON.stringify({ receipt, ...recalled }), ...(receipt && { receipt }) };
      },
      list: async () => ({ text: JSON.stringify(await client.listMemories()) }),
      search: async () => ({ text: JSON.stringify(await client.listMemories({ q: "secret" })) }),
    },
    probes: {
      "list of namespaces": () => outcomeOrError(() => client.listNamespaces()),
      "key of a fact": () =>
        outcomeOrError(() => Promise.allSettled(NAMESPACES.map((name) => client.getByKey({ name, key: "k" })))),
    },
  };
};
