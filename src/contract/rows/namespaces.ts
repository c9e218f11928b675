// Namespaces, their settings, and facts by their keys.
import { z } from "zod";
import { forgotten, namespaceEntry, namespaceSettings, sealing } from "#contract/schemas/life.ts";
import { nextCursor, pageBy } from "#contract/schemas/paging.ts";
import { factKey, memory, namespace, reason, recorded } from "#contract/schemas/resources.ts";
import { listed } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

const named = z.object({ name: recorded.namespace });
const keyed = z.object({ name: recorded.namespace, key: factKey });
const sourceAgent = recorded.sourceAgent.optional().describe("Whose key it is. An agent's own key may leave it out.");

export const namespaceRows = {
  listNamespaces: {
    summary: "Namespaces that have memories or settings, by name.",
    query: pageBy(/^\P{Cc}{1,64}$/u),
    response: z.object({ namespaces: listed(namespaceEntry), nextCursor }),
    streams: "reply",
    problems: ["policy-changed"],
  },
  getNamespace: {
    summary: "One namespace.",
    params: named,
    response: z.object({ namespace: namespaceEntry }),
    streams: "reply",
    problems: ["not-found", "policy-changed"],
  },
  putNamespace: {
    summary: "Say what a namespace is for, how long its memories are kept, and whether they are encrypted.",
    params: z.object({ name: namespace }),
    body: namespaceSettings,
    response: z.object({ namespace: namespaceEntry, sealing: sealing.exactOptional() }),
    problems: ["confusable-name", "limit-reached", "seal-key-missing"],
  },
  getByKey: {
    summary: "The memory that its source agent captured under this key.",
    params: keyed,
    query: z.object({ sourceAgent }),
    response: z.object({ memory }),
    streams: "reply",
    problems: ["not-found", "policy-changed"],
  },
  forgetByKey: {
    summary: "Forget the memory under this key.",
    forgets: true,
    params: keyed,
    query: z.object({ sourceAgent, reason: reason.optional() }),
    response: forgotten,
    problems: ["not-found"],
  },
} as const satisfies Rows;
