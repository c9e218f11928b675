// Cuts TCP connections with a reset, which drops the bytes that wait in the kernel. Node resets TCP connections only,
// so the one below each TLS connection of a server is remembered. One that we made is closed in the ordinary way.
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

const transports = new WeakMap<Socket, Socket>();

export function cutConnection(socket: Socket): void {
  if (socket.destroyed) return;
  const transport = transports.get(socket);
  if (transport === undefined) return void reset(socket);
  // The TLS connection must destroy its transport: Node crashes when that goes first, while a write is under way.
  const { destroy } = transport;
  transport.destroy = () => {
    transport.destroy = destroy;
    return reset(transport);
  };
  socket.destroy();
}

function reset(socket: Socket): Socket {
  try {
    return socket.resetAndDestroy();
  } catch {
    // It is not TCP, or TLS over it.
    return socket.destroy();
  }
}

/** For a server with TLS: makes its connections ones that can be cut. */
export function rememberTransports(server: Server): void {
  const byPeer = new Map<string, Socket>();
  const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on("connection", (transport: Socket) => {
    const peer = peerOf(transport);
    byPeer.set(peer, transport);
    transport.once("close", () => byPeer.get(peer) === transport && byPeer.delete(peer));
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const transport = byPeer.get(peerOf(socket));
    if (transport !== undefined) transports.set(socket, transport);
  });
}
