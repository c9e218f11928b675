// The entry of `portcullis/langgraph`: gated memory as a store of LangGraph.
export { PortcullisStore, type PortcullisStoreOptions } from "./portcullis-store.ts";
export { UnsupportedOperationError } from "./unsupported-operation-error.ts";
