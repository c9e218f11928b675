// Starts and directs `scale-process-main.ts`.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { residentMemory } from "./process-usage.ts";

const MAIN = fileURLToPath(new URL("scale-process-main.ts", import.meta.url));

export interface Ready {
  /** Since the process began. */
  readonly readyMs: number;
}

export interface FillOrder {
  readonly memories: number;
  readonly namespaces: readonly string[];
  readonly seed: number;
  readonly allow: readonly { readonly agentId: string; readonly namespace: string }[];
}

export interface FillResult {
  /** Memories captured, durably and in the index. */
  readonly perSecond: number;
}

export interface MeasureOrder {
  readonly agentId: string;
  readonly questions: number;
  readonly seed: number;
}

export interface MeasureResult {
  /** The time of each recall by the clock. */
  readonly ms: readonly number[];
  /** The CPU time of the thread for a recall, on average. */
  readonly cpuMs: number;
  /** The longest turn of the event loop: by the clock, and in CPU time. */
  readonly heldMs: number;
  readonly heldCpuMs: number;
}

export type Order = ({ readonly kind: "fill" } & FillOrder) | ({ readonly kind: "measure" } & MeasureOrder);

export type ScaleProcess = Awaited<ReturnType<typeof startScaleProcess>>;

/** Ready when its index holds all that is in the file. The process ends at the latest when ours does. */
export async function startScaleProcess(path: string) {
  const child = fork(MAIN, [path], { env: {}, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { readyMs } = await nextMessage<Ready>(child);
  const send = <T>(order: Order): Promise<T> => {
    const answer = nextMessage<T>(child);
    child.send(order);
    return answer;
  };
  return {
    readyMs,
    residentMb: () => residentMemory(child.pid ?? 0),
    fill: (order: FillOrder) => send<FillResult>({ kind: "fill", ...order }),
    measure: (order: MeasureOrder) => send<MeasureResult>({ kind: "measure", ...order }),
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await ended;
    },
  };
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process of the benchmark ended with ${code}.`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });
}
