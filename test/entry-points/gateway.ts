// The gateway, by OpenAI's own client.
import OpenAI from "openai";
import { createClient } from "#contract/client/client.ts";
import { type EntryPoint, type Outcome, outcomeOrError } from "./entry-point.ts";

const QUERY = "What is the secret word?";

export const gatewayEntryPoint: EntryPoint = async ({ url, key }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const { chat, models } = client;
  const own = createClient({ baseUrl: url, bearer: key });
  const body = { model: "parrot", messages: [{ role: "user" as const, content: QUERY }] };
  async function outcome(text: string, headers: Headers): Promise<Outcome> {
    const { receipt } = await own.getReceipt({ answerId: headers.get("portcullis-receipt") ?? "" });
    return { text, receipt: receipt as NonNullable<Outcome["receipt"]> };
  }
  return {
    reads: {
      async completion() {
        const { data, response } = await chat.completions.create(body).withResponse();
        return outcome(JSON.stringify(data), response.headers);
      },
      async stream() {
        const { data, response } = await chat.completions.create({ ...body, stream: true }).withResponse();
        let text = "";
        for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? "";
        return outcome(text, response.headers);
      },
    },
    probes: {
      models: () => outcomeOrError(async () => (await models.list()).data),
      "model that there is not": () => outcomeOrError(() => chat.completions.create({ ...body, model: "other" })),
      "member that is not passed on": () =>
        outcomeOrError(() => chat.completions.create({ ...body, web_search_options: {} })),
      "another agent's name": () =>
        outcomeOrError(() => chat.completions.create(body, { headers: { "portcullis-agent": "nobody" } })),
    },
  };
};
