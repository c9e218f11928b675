// All entry points. Each is checked by `npm test` under 32 policies, and by `npm run torture -- entry-points` under all 512.
import { aiSdkEntryPoint } from "./ai-sdk.ts";
import { commandLineEntryPoint } from "./command-line.ts";
import { conversationsEntryPoint } from "./conversations.ts";
import type { EntryPoint } from "./entry-point.ts";
import { gatewayEntryPoint } from "./gateway.ts";
import { httpEntryPoint } from "./http.ts";
import { langGraphEntryPoint } from "./langgraph.ts";
import { mcpOverHttp, mcpOverProcess } from "./mcp.ts";
import { pythonEntryPoint } from "./python.ts";

export const entryPoints: ReadonlyMap<string, EntryPoint> = new Map<string, EntryPoint>([
  ["HTTP", httpEntryPoint],
  ["MCP over HTTP", mcpOverHttp],
  ["MCP over a process", mcpOverProcess],
  ["the AI SDK", aiSdkEntryPoint],
  ["LangGraph", langGraphEntryPoint],
  ["the command line", commandLineEntryPoint],
  ["Python", pythonEntryPoint],
  ["the gateway", gatewayEntryPoint],
  ["conversations", conversationsEntryPoint],
]);
