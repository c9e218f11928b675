// Loaded into the service before its own code. A connection of a client at STUCK_ADDRESS takes 16 KiB and nothing more, as
// when the client reads nothing and the buffers of both kernels are full. On loopback these would take some 4 MiB for each
// connection first, which belongs to no process.
import { Socket } from "node:net";

const TAKEN_BYTES = 16_384;
const STUCK_ADDRESS = "127.0.0.2";

type Callback = (error?: Error | null) => void;
interface Chunk {
  readonly chunk: string | Uint8Array;
}

const taken = new WeakMap<Socket, number>();
/** libuv would hold a copy of what the kernel does not take. */
const held = new WeakMap<Socket, Buffer[]>();

function isHeld(socket: Socket, chunks: readonly Chunk[]): boolean {
  if (socket.remoteAddress !== STUCK_ADDRESS) return false;
  const before = taken.get(socket) ?? 0;
  taken.set(socket, before + chunks.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk), 0));
  if (before < TAKEN_BYTES) return false;
  held.set(
    socket,
    chunks.map(({ chunk }) => Buffer.from(chunk as string)),
  );
  return true;
}

const { _write, _writev } = Socket.prototype;
Socket.prototype._write = function write(chunk: string | Uint8Array, encoding: BufferEncoding, callback: Callback) {
  if (!isHeld(this, [{ chunk }])) _write.call(this, chunk, encoding, callback);
};
Socket.prototype._writev = function writev(chunks, callback) {
  if (!isHeld(this, chunks)) _writev?.call(this, chunks, callback);
};
