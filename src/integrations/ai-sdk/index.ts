// The entry of `portcullis/ai-sdk`: gated memories for the models and agents of the Vercel AI SDK.
export { RecallFailedError } from "./gated-call.ts";
export { portcullisTools, type ToolOptions } from "./tools.ts";
export { type PortcullisOptions, withPortcullis } from "./with-portcullis.ts";
