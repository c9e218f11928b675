// The thread of paced-load.ts. It writes requests to bare sockets and reads no more of a response than it must: an HTTP
// client would take more of the machine than the server does for a refusal. Requests are spread evenly over time.
import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { PacedAnswers, PacedLoad } from "./paced-load.ts";

const { url, path, bodies, headers = {}, connections, seconds }: PacedLoad = workerData;
const { rate = Number.POSITIVE_INFINITY }: PacedLoad = workerData;
const { hostname, port, host } = new URL(url);
const requests = bodies.map((body) => {
  const length = Buffer.byteLength(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
});

const TICK_MS = 1;
/** For the answers that are still on their way at the end. */
const GRACE_MS = 10_000;
const HEAD_END = "\r\n\r\n";

interface Connection {
  readonly socket: Socket;
  sentAt: number | undefined;
  head: string;
  status: number;
  /** Bytes of the body that are still to come; undefined before the head is complete. */
  missing: number | undefined;
}

const byStatus = new Map<number, number[]>();
const open = new Set<Connection>();
const idle: Connection[] = [];
let [sent, lost, isOver] = [0, 0, false];

function openConnection(): void {
  const socket = connect(Number(port), hostname).setNoDelay();
  const connection: Connection = { socket, sentAt: undefined, head: "", status: 0, missing: undefined };
  open.add(connection);
  socket.on("connect", () => ready(connection));
  socket.on("data", (chunk) => read(connection, chunk));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    open.delete(connection);
    if (connection.sentAt !== undefined) lost += 1;
    if (!isOver) openConnection();
  });
}

function ready(connection: Connection): void {
  Object.assign(connection, { sentAt: undefined, head: "", missing: undefined });
  idle.push(connection);
  sendDue();
}

function read(connection: Connection, chunk: Buffer): void {
  let bytes = chunk.byteLength;
  if (connection.missing === undefined) {
    connection.head += chunk.toString("latin1");
    const end = connection.head.indexOf(HEAD_END);
    if (end === -1) return;
    connection.status = Number(connection.head.slice(9, 12));
    connection.missing = Number(/\r\ncontent-length: (\d+)/i.exec(connection.head.slice(0, end + 2))?.[1]);
    bytes = connection.head.length - end - HEAD_END.length;
  }
  connection.missing -= bytes;
  if (connection.missing > 0) return;
  const latencies = byStatus.get(connection.status) ?? [];
  if (latencies.length === 0) byStatus.set(connection.status, latencies);
  latencies.push(performance.now() - (connection.sentAt ?? 0));
  ready(connection);
}

/** Sends what is due by now, on connections that wait for nothing. What finds none free is not sent later. */
function sendDue(): void {
  if (isOver) return;
  const now = performance.now();
  const due = ((now - began) / 1_000) * rate;
  while (sent < due) {
    const connection = idle.shift();
    if (connection === undefined) break;
    if (connection.socket.destroyed) continue;
    connection.sentAt = now;
    connection.socket.write(requests[sent % requests.length] as Buffer);
    sent += 1;
  }
  if (Number.isFinite(due) && idle.length === 0) sent = Math.max(sent, Math.floor(due));
}

const began = performance.now();
const cpuBefore = process.threadCpuUsage();
for (let i = 0; i < connections; i++) openConnection();
const ticking = setInterval(sendDue, TICK_MS);

setTimeout(() => {
  isOver = true;
  clearInterval(ticking);
  const measured = (performance.now() - began) / 1_000;
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const deadline = performance.now() + GRACE_MS;
  const finishing = setInterval(() => {
    const busy = [...open].filter(({ sentAt }) => sentAt !== undefined);
    if (busy.length > 0 && performance.now() < deadline) return;
    clearInterval(finishing);
    lost += busy.length;
    for (const { socket } of open) socket.destroy();
    const answers: PacedAnswers = {
      seconds: measured,
      cpuSeconds: (user + system) / 1e6,
      byStatus: [...byStatus].map(([status, latencies]) => [status, Float64Array.from(latencies)] as const),
      lost,
    };
    parentPort?.postMessage(answers);
  }, TICK_MS);
}, seconds * 1_000);
