// Clients that ask and read nothing but the head of the reply (small-socket-buffers.ts).
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { mapInOrder } from "#async/map-in-order.ts";

export interface StuckRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface StuckReaders {
  /** How many got which status. 0: the connection ended before a reply came. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many connections the service has not cut. */
  open(): number;
  hangUp(): void;
}

/** As many as a client has on the way at a time: the service is to be filled with replies, not with requests. */
const AT_A_TIME = 32;

/** Opens a connection for each request, sends it, and waits until each has a status. */
export async function stickReaders(url: string, requests: Iterable<StuckRequest>): Promise<StuckReaders> {
  const sockets: Socket[] = [];
  const statuses = new Map<number, number>();
  async function* all() {
    yield* requests;
  }
  const stuck = mapInOrder(all(), AT_A_TIME, (request) => stick(url, request, sockets));
  for await (const status of stuck) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return {
    statuses,
    open: () => sockets.filter(({ destroyed }) => !destroyed).length,
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends a request, and resolves with the status of its reply. Nothing more is read. */
function stick(url: string, request: StuckRequest, sockets: Socket[]): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const head = Buffer.alloc(64);
    const socket = connect({
      port: Number(port),
      host: hostname,
      localAddress: "127.0.0.2",
      onread: {
        buffer: head,
        callback: () => {
          resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 0));
          return false;
        },
      },
    });
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(0));
    socket.write(bytesOf(url, request));
  });
}

function bytesOf(url: string, { method = "GET", path, headers = {}, body = "" }: StuckRequest): string {
  const lines = Object.entries({ host: new URL(url).host, "content-length": Buffer.byteLength(body), ...headers });
  return [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join("\r\n");
}

/** Resident memory of a process, in MB, as Linux says it. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
