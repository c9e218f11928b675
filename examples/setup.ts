// What the examples share: the service, and agents with keys of their own.
//
// Start a service with identities (`npm start -- --secure`) and give an example the admin's key that it printed:
//
//     PORTCULLIS_KEY=portcullis_… node examples/two-agents.ts
//
// In a clone, `npm run build:package` comes first: the examples import the package by its name.
import { type Client, createClient } from "portcullis/client";

export const url = process.env.PORTCULLIS_URL ?? "http://127.0.0.1:3000";

/** The client of the key that the example was given. */
export function connect(): Client {
  const bearer = process.env.PORTCULLIS_KEY;
  if (bearer === undefined) throw new Error("Set PORTCULLIS_KEY to a key of the service.");
  return createClient({ baseUrl: url, bearer });
}

interface NewAgent {
  readonly captures?: readonly string[];
  readonly uses?: readonly string[];
}

/** Makes a key for an agent, and lets it use some namespaces. */
export async function newAgent(admin: Client, id: string, { captures = [], uses = [] }: NewAgent): Promise<string> {
  for (const namespace of uses) await admin.setAccess({ agentId: id, namespace, allowed: true });
  const { key } = await admin.createKey({ name: `example ${id}`, role: `agent:${id}`, captures: [...captures] });
  return key;
}
