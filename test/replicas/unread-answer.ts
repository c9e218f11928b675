// A client that asks, and does not read the answer: it stays half sent, behind the fence.
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { expect } from "vitest";
import { fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { connectTo } from "#test/support/send.ts";
import { waitFor } from "#test/support/wait-for.ts";

/** More than the buffers of a connection hold. */
export const ANSWER_BYTES = 16_000_000;
/** More than comes before the answer: the head, and what the gate decided. */
const BYTES_OF_THE_ANSWER = 40_000;
export const FENCE_HOLDERS = `
  FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' AND (classid, objid) = (${fenceLock(DEFAULT_TENANT.number)})
    AND datname = current_database()`;

/**
 * Asks, and reads nothing, until `strike` says that it met an answer that was being sent. On a busy machine an answer that
 * nobody reads may have been cut off before; then it asks again.
 */
export async function askUntil(
  url: string,
  accept: string,
  strike: (socket: Socket) => Promise<boolean>,
): Promise<Socket> {
  for (;;) {
    const { socket, write } = await connectTo(url);
    socket.pause();
    const body = JSON.stringify({ agentId: "assistant", query: "What about the allergy?" });
    write(
      `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: ${accept}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await waitFor(() => expect(unread(socket) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(BYTES_OF_THE_ANSWER));
    if (unread(socket) !== undefined && (await strike(socket))) return socket;
    socket.destroy();
  }
}

/** The bytes that wait in the kernel for this socket. Undefined when its connection is gone, and nothing can come. */
export const unread = ({ localPort = 0, remotePort = 0 }: Socket): number | undefined =>
  queuesOf(localPort, remotePort)?.received;

/** The bytes that the other end has given to the kernel, and that were not sent yet. */
export const unsent = ({ localPort = 0, remotePort = 0 }: Socket): number | undefined =>
  queuesOf(remotePort, localPort)?.toSend;

/** What waits in the kernel at this end of a connection of this machine. */
function queuesOf(localPort: number, remotePort: number): { toSend: number; received: number } | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  const row = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(`:${hex(localPort)}`) && remote?.endsWith(`:${hex(remotePort)}`));
  if (row === undefined) return undefined;
  const [toSend = 0, received = 0] = (row[4] ?? "").split(":").map((queue) => Number.parseInt(queue, 16));
  return { toSend, received };
}
