// All doors. Each is checked by `npm test` under 32 policies, and by `npm run torture -- doors` under all 512.
import { aiSdkDoor } from "./ai-sdk-door.ts";
import { commandLineDoor } from "./command-line-door.ts";
import type { Door } from "./door.ts";
import { httpDoor } from "./http-door.ts";
import { langGraphDoor } from "./langgraph-door.ts";
import { mcpOverHttp, mcpOverProcess } from "./mcp-doors.ts";

export const doors: ReadonlyMap<string, Door> = new Map<string, Door>([
  ["HTTP", httpDoor],
  ["MCP over HTTP", mcpOverHttp],
  ["MCP over a process", mcpOverProcess],
  ["the AI SDK", aiSdkDoor],
  ["LangGraph", langGraphDoor],
  ["the command line", commandLineDoor],
]);
