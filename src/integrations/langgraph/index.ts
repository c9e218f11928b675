// The entry of `portcullis/langgraph`: gated memory as a store of LangGraph, and a node that learns from conversations.
export { UnsupportedOperationError } from "./item.ts";
export { PortcullisStore, type PortcullisStoreOptions } from "./portcullis-store.ts";
export { type RememberOptions, rememberConversations } from "./remember-conversations.ts";
