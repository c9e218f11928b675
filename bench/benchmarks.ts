// The table of benchmarks in the order they run. To add one, add a file in this folder and a line here.
import { anchor } from "./anchor.ts";
import { blobs } from "./blobs.ts";
import { bounds } from "./bounds.ts";
import { chat } from "./chat.ts";
import { encrypted } from "./encrypted.ts";
import { forget } from "./forget.ts";
import { gate } from "./gate.ts";
import { gateway } from "./gateway.ts";
import { identities } from "./identities.ts";
import { liveUpdates } from "./live-updates.ts";
import { log } from "./log.ts";
import { overload } from "./overload.ts";
import { policyPage } from "./policy-page.ts";
import { recall } from "./recall.ts";
import { receipt } from "./receipt.ts";
import { revoke } from "./revoke.ts";
import { scale } from "./scale.ts";
import { start } from "./start.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { tenants } from "./tenants.ts";
import { timing } from "./timing.ts";

export const benchmarks: ReadonlyMap<string, Benchmark> = new Map(
  Object.entries({
    chat,
    identities,
    receipt,
    log,
    recall: recall(),
    start,
    anchor,
    blobs,
    gate,
    gateway,
    revoke,
    forget,
    bounds,
    timing,
    encrypted,
    page: policyPage,
    live: liveUpdates,
    overload: overload(),
    scale: scale(),
    tenants: tenants(),
  }),
);
