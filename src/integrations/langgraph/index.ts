// The entry of `portcullis/langgraph`: gated memory as a store of LangGraph.

export { UnsupportedOperationError } from "./item.ts";
export { PortcullisStore, type PortcullisStoreOptions } from "./portcullis-store.ts";
