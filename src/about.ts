// What the service says about itself, from the configuration. It holds no secret, and no address with credentials.
import packageJson from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import type { About } from "./service/tenant.ts";

export function aboutOf(config: Pick<Config, "records" | "blobs" | "model" | "ledger">): About {
  const { records, blobs, model, ledger } = config;
  return {
    version: packageJson.version,
    blobs: {
      kind: blobs.kind,
      aggregator: blobs.kind === "memory" ? "" : withoutCredentials(blobs.aggregators[0] ?? ""),
    },
    model: model.kind,
    ...(ledger.kind === "sui" && { fullNode: withoutCredentials(ledger.url) }),
    records: records.kind,
  };
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}
