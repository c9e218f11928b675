// Two agents that share memories under a policy, with the typed client alone. What one captures, the other finds if and
// as long as the policy says so. Bring your own model: the memories are yours to give to it.
//
//     PORTCULLIS_KEY=<admin's key> node examples/two-agents.ts   # Node 22.18 or newer
import { createClient, isProblem } from "portcullis/client";
import { connect, newAgent, url } from "./setup.ts";

const admin = connect();
const nurse = createClient({
  baseUrl: url,
  bearer: await newAgent(admin, "nurse", { captures: ["care", "visits"], uses: ["care", "visits"] }),
});
const driver = createClient({ baseUrl: url, bearer: await newAgent(admin, "driver", { uses: ["visits"] }) });

await nurse.capture({ namespace: "visits", key: "next", content: "The next visit is on Friday at nine." });
await nurse.capture({ namespace: "care", content: "Takes 5 mg of warfarin in the evening." });

async function show(when: string): Promise<void> {
  const { memories, blockedNamespaces } = await driver.recall({ query: "What do I have to know for Friday?" });
  const found = memories.map(({ content }) => content).sort();
  console.log(`${when}, the driver finds: ${found.join(" ") || "nothing"}`);
  console.log(
    `  closed to it: ${blockedNamespaces.filter((name) => ["care", "visits"].includes(name)).join(", ") || "nothing"}`,
  );
}

await show("At first");

// Another fact under the same key takes the place of the one before.
await nurse.capture({ namespace: "visits", key: "next", content: "The next visit is on Friday at eleven." });
await show("After a correction");

await admin.setAccess({ agentId: "driver", namespace: "care", allowed: true });
await show("With care opened");

await admin.setAccess({ agentId: "driver", namespace: "care", allowed: false });
await admin.setAccess({ agentId: "driver", namespace: "visits", allowed: false });
await show("With everything revoked");

const refused = await driver
  .capture({ namespace: "care", content: "Prefers mornings." })
  .catch((error: unknown) => error);
console.log(`The driver's key captures into no namespace: ${isProblem(refused) ? refused.code : "it did"}`);
