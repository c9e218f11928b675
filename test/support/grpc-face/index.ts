// A full node's face, for tests: speaks gRPC-web on loopback and passes everything to a core client, such as the local
// ledger, so that the SDK's own SuiGrpcClient can be pointed at it. Can be told to go wrong.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type CoreClient, TransactionError } from "@mysten/sui/client";
import { GrpcStatusCode } from "@mysten/sui/grpc";
import { createFaults, type Fault, type Faults } from "./faults.ts";
import { readRequest, responseBody, type Wire } from "./frames.ts";
import { METHODS } from "./methods.ts";

export type { Fault } from "./faults.ts";

export interface GrpcFace extends Pick<Faults, "inject" | "clear"> {
  /** For `new SuiGrpcClient({ network, baseUrl })`. */
  readonly baseUrl: string;
  /** While true, every call is answered with UNAVAILABLE. */
  isDown: boolean;
  /** How often a method, such as `ExecuteTransaction`, was called. */
  calls(method: string): number;
  close(): Promise<void>;
}

export async function createGrpcFace(core: CoreClient): Promise<GrpcFace> {
  const faults = createFaults();
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    for (const [name, value] of CORS) response.setHeader(name, value);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const name = request.url?.split("/").at(-1) ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const fault = face.isDown ? ({ kind: "error", executes: false, code: "UNAVAILABLE" } as const) : faults.take(name);
    answer(core, request, response, fault).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const face: GrpcFace = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isDown: false,
    inject: faults.inject,
    clear: faults.clear,
    calls: (method) => counts.get(method) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return face;
}

/** As full nodes have them: a page of any site may ask. */
const CORS = [
  ["access-control-allow-origin", "*"],
  ["access-control-allow-headers", "*"],
  ["access-control-expose-headers", "*"],
] as const;

async function answer(
  core: CoreClient,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  const wire = await readRequest(request);
  if (fault?.kind === "held") await delay(fault.ms);
  const executes = fault === undefined || !("executes" in fault) || fault.executes;
  const run = async () => respond(core, request.url ?? "", wire, response);
  const send = executes ? await run() : undefined;
  switch (fault?.kind) {
    case "late":
      await delay(fault.ms);
      return send?.();
    case "never":
      return;
    case "drop":
      return void response.destroy();
    case "error":
      return sendStatus(wire, response, fault.code ?? "INTERNAL", fault.message ?? "a fault that a test asked for");
    default:
      return send?.();
  }
}

/** Executes, and gives back how to say what came of it. */
async function respond(core: CoreClient, url: string, wire: Wire, response: ServerResponse): Promise<() => void> {
  const method = METHODS.find(({ path }) => url === `/${path}`);
  if (method === undefined) return () => sendStatus(wire, response, "UNIMPLEMENTED", `the face has no ${url}`);
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
