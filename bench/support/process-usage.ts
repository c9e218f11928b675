// CPU and memory of a process, from Linux's /proc. Undefined on other systems.
import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Resident memory in MB (10^6 bytes). */
export function residentMemory(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(pid, "status") ?? "")?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1_024) / 1e6;
}

/** CPU time of all threads, user and system. */
export function cpuSeconds(pid: number): number | undefined {
  // The second field is the command in brackets and may hold spaces; the times are the 14th and the 15th (proc(5)).
  const fields = read(pid, "stat")?.split(") ").at(-1)?.split(" ");
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Milliseconds that the main thread was ready to run, and other work had the cores. */
export function processorWaitMs(pid: number): number | undefined {
  const nanoseconds = read(pid, "schedstat")?.split(" ")[1];
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

function read(pid: number, file: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
