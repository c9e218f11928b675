// The store for LangGraph.
import { PortcullisStore } from "#integrations/langgraph/index.ts";
import { type EntryPoint, outcomeOrError } from "./entry-point.ts";
import { NAMESPACES } from "./policies.ts";

export const langGraphEntryPoint: EntryPoint = async (visitor) => {
  const store = new PortcullisStore(visitor);
  const texts = async (...searches: readonly Promise<unknown>[]) => ({
    text: JSON.stringify(await Promise.all(searches)),
  });
  return {
    reads: {
      "search with a query": () => texts(store.search([], { query: "What is the secret word?" })),
      "search without one": () => texts(store.search([])),
      "search in each namespace": () => texts(...NAMESPACES.map((name) => store.search([name], { query: "word" }))),
    },
    probes: {
      "list of namespaces": () => outcomeOrError(() => store.listNamespaces()),
      get: () => outcomeOrError(() => Promise.all(NAMESPACES.map((name) => store.get([name], "mem_x_0")))),
      put: () => outcomeOrError(() => store.put(["x"], "k", { text: "poison" })),
    },
  };
};
