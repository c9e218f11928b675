// What the last pass of a monitor found, for alerts: the text format of Prometheus, on this machine alone.
import { createServer, type Server } from "node:http";
import type { Pass } from "./monitor.ts";

export interface Watched {
  readonly pass?: Pass | undefined;
  /** Whether the last pass could check everything. */
  readonly isUp: boolean;
  /** When it last could, in milliseconds since 1970. */
  readonly checkedAt: number;
}

export function metricsServer(read: () => Watched): Server {
  return createServer({ requestTimeout: 10_000 }, ({ url }, response) => {
    if (url !== "/metrics") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(expositionOf(read()));
  });
}

function expositionOf({ pass, isUp, checkedAt }: Watched): string {
  const gauge = (name: string, help: string, value: number) =>
    `# HELP portcullis_monitor_${name} ${help}\n# TYPE portcullis_monitor_${name} gauge\nportcullis_monitor_${name} ${value}\n`;
  return [
    gauge("up", "Whether the last pass could check everything.", Number(isUp)),
    gauge("checked_timestamp_seconds", "When a pass last could.", checkedAt / 1_000),
    gauge("findings", "Findings since the start: evidence of misbehaviour.", pass?.findings.length ?? 0),
    gauge("log_size", "Entries in the log.", pass?.size ?? 0),
    gauge("entries", "Entries of the tenant that were checked.", pass?.entries ?? 0),
    gauge("receipts", "Receipts on record that were found in the log.", pass?.receipts ?? 0),
    gauge("imported", "Of these receipts, those that were imported: others gave them.", pass?.imported ?? 0),
  ].join("");
}
