// The frames of gRPC-web: one byte for the kind (message or trailers), four bytes for the length, then the content. In
// the text format, which is the SDK's default, all of that is in base64.
import type { IncomingMessage } from "node:http";

const MESSAGE = 0;
const TRAILERS = 0x80;

export interface Wire {
  readonly contentType: string;
  readonly message: Uint8Array;
  encode(bytes: Uint8Array): Uint8Array;
}

export async function readRequest(request: IncomingMessage): Promise<Wire> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isText = request.headers["content-type"]?.startsWith("application/grpc-web-text") ?? false;
  const frame = isText ? Buffer.from(body.toString("latin1"), "base64") : body;
  if (frame[0] !== MESSAGE || frame.length < 5) throw new Error("not a frame of gRPC-web");
  return {
    contentType: isText ? "application/grpc-web-text" : "application/grpc-web+proto",
    message: frame.subarray(5, 5 + frame.readUInt32BE(1)),
    encode: (bytes) => (isText ? Buffer.from(Buffer.from(bytes).toString("base64"), "latin1") : bytes),
  };
}

export function responseBody(message: Uint8Array): Uint8Array {
  return Buffer.concat([frame(MESSAGE, message), frame(TRAILERS, Buffer.from("grpc-status:0\r\n"))]);
}

function frame(kind: number, bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
