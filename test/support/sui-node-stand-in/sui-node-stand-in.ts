// A stand-in for a Sui full node: speaks gRPC-web on loopback and passes every call to a core client, such as the local
// ledger. The SDK's own SuiGrpcClient can be pointed at it. Tests can inject faults.
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CoreClient, TransactionError } from "@mysten/sui/client";
import { GrpcStatusCode } from "@mysten/sui/grpc";
import { createFaults, type Fault, type Faults } from "./faults.ts";
import { readRequest, responseBody, type Wire } from "./grpc-web-frames.ts";
import { METHODS } from "./methods.ts";

export type { Fault } from "./faults.ts";

export interface SuiNodeStandIn extends Pick<Faults, "inject" | "clear"> {
  /** For `new SuiGrpcClient({ network, baseUrl })`. */
  readonly baseUrl: string;
  /** While true, every call is answered with UNAVAILABLE. */
  isDown: boolean;
  /** How often a method, such as `ExecuteTransaction`, was called. */
  calls(method: string): number;
  /** Resolves when all calls that were received are handled. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function startSuiNodeStandIn(core: CoreClient): Promise<SuiNodeStandIn> {
  const faults = createFaults();
  const counts = new Map<string, number>();
  const handling = new Set<Promise<void>>();
  /** Emits the name of a method whenever a call of it was answered. */
  const answered = new EventEmitter();

  async function handle(
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
    fault?: Fault,
  ): Promise<void> {
    const wire = await readRequest(request);
    if (fault?.kind === "held") {
      await (fault.until === "client-gone" ? disconnected(response) : once(answered, name));
    }
    const executes = fault === undefined || !("executes" in fault) || fault.executes;
    const send = executes ? await execute(core, request.url ?? "", wire, response) : undefined;
    switch (fault?.kind) {
      case "never":
        return;
      case "drop":
        response.destroy();
        return;
      case "error":
        return sendStatus(wire, response, fault.code ?? "INTERNAL", fault.message ?? "a fault that a test injected");
      case "late":
        await disconnected(response);
        return send?.();
      default:
        send?.();
        answered.emit(name);
    }
  }

  const server = createServer((request, response) => {
    for (const [name, value] of CORS) response.setHeader(name, value);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const name = request.url?.split("/").at(-1) ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const fault = node.isDown ? ({ kind: "error", executes: false, code: "UNAVAILABLE" } as const) : faults.take(name);
    const handled = handle(name, request, response, fault)
      .catch((error) => void response.destroy(error))
      .finally(() => handling.delete(handled));
    handling.add(handled);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const node: SuiNodeStandIn = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isDown: false,
    inject: faults.inject,
    clear: faults.clear,
    calls: (method) => counts.get(method) ?? 0,
    idle: async () => void (await Promise.all(handling)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return node;
}

/** The headers of a full node, which let pages of all sites call it. */
const CORS = [
  ["access-control-allow-origin", "*"],
  ["access-control-allow-headers", "*"],
  ["access-control-expose-headers", "*"],
] as const;

async function disconnected(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, "close");
}

/** Executes the call, and returns a function that sends the answer. */
async function execute(core: CoreClient, url: string, wire: Wire, response: ServerResponse): Promise<() => void> {
  const method = METHODS.find(({ path }) => url === `/${path}`);
  if (method === undefined) return () => sendStatus(wire, response, "UNIMPLEMENTED", `the stand-in has no ${url}`);
  try {
    const message = await method.answer(core, wire.message);
    return () => {
      response.writeHead(200, { "content-type": wire.contentType });
      response.end(wire.encode(responseBody(message)));
    };
  } catch (error) {
    const { code, text } = statusOf(error);
    return () => sendStatus(wire, response, code, text);
  }
}

function sendStatus({ contentType }: Wire, response: ServerResponse, code: string, message: string): void {
  const status = GrpcStatusCode[code as keyof typeof GrpcStatusCode] ?? GrpcStatusCode.UNKNOWN;
  const headers = {
    "content-type": contentType,
    "grpc-status": String(status),
    "grpc-message": encodeURIComponent(message),
  };
  response.writeHead(200, headers);
  response.end();
}

function statusOf(error: unknown): { code: string; text: string } {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof TransactionError) return { code: "NOT_FOUND", text };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { code: code in GrpcStatusCode ? code : "INTERNAL", text };
}
