// Cuts TCP connections with a reset. Bytes that wait in the kernel are dropped then, while an ordinary close would still
// send them. Node resets TCP connections only, so the one below each TLS connection is remembered here.
import { connect as connectTcp, type NetConnectOpts, type Server, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";

const transports = new WeakMap<Socket, Socket>();

export function cutConnection(socket: Socket): void {
  if (socket.destroyed) return;
  try {
    (transports.get(socket) ?? socket).resetAndDestroy();
  } catch {
    // It is not TCP.
  }
  socket.destroy();
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

/** A TLS connection that can be cut. */
export function connectWithTls(options: ConnectionOptions & NetConnectOpts): TLSSocket {
  const transport = connectTcp(options);
  const socket = connectTls({ ...options, socket: transport });
  transports.set(socket, transport);
  return socket;
}
