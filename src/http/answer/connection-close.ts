// Tells that a connection was closed, to all who ask. Many requests can be pipelined on one connection, so they share one
// listener of the socket.
import type { Socket } from "node:net";

const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls `callback` when the socket closes. Answers with what ends that. */
export function onceClosed(socket: Socket, callback: () => void): () => void {
  const callbacks = waiting.get(socket) ?? watch(socket);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) unwatch(socket);
  };
}

function watch(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.once("close", closed);
  return callbacks;
}

function unwatch(socket: Socket): void {
  waiting.delete(socket);
  socket.off("close", closed);
}

function closed(this: Socket): void {
  const callbacks = waiting.get(this);
  waiting.delete(this);
  for (const callback of callbacks ?? []) callback();
}
