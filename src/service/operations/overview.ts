import { defined } from "#core/defined.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { agentsOf } from "#core/gate/policy-rules.ts";
import type { HourOfAnswers, PublicSigningKey } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";
import { isDemo } from "./reset.ts";

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** How many namespaces, source agents and agents are listed. There may be many, and their names may be long. */
const MOST_LISTED = 1_000;

type OverviewParts = Pick<Tenant, "records" | "policyMirror" | "settings" | "now">;

export async function overview(tenant: OverviewParts) {
  const { records, policyMirror, now } = tenant;
  const hours = lastHours(now().getTime());
  const [{ byNamespace, bySourceAgent, sourceAgents }, { rules, version }, answered, begun, anchors] =
    await Promise.all([
      records.memories.counts(),
      policyMirror.current(),
      records.receipts.byHour(hours[0]?.slice(0, 13) ?? ""),
      records.receipts.countBegun(),
      records.anchors.counts(),
    ]);
  const captors = mostFrequent(bySourceAgent);
  const agents = new Set([...agentsOf(rules, MOST_LISTED), ...captors.map(([name]) => name)]);
  return {
    memories: {
      total: byNamespace.values().reduce((sum, count) => sum + count, 0),
      namespaces: byNamespace.size,
      byNamespace: mostFrequent(byNamespace).map(([namespace, count]) => ({ namespace, count })),
      sourceAgents,
      bySourceAgent: captors.map(([sourceAgent, count]) => ({ sourceAgent, count })),
    },
    agents: [...agents].sort(byUtf8).slice(0, MOST_LISTED),
    answers: { ...answersIn(hours, answered), begun },
    anchors,
    policyVersion: version,
    isDemo: await isDemo(tenant),
  };
}

function mostFrequent(counts: ReadonlyMap<string, number>): [name: string, count: number][] {
  const all = [...counts];
  const listed = all.length <= MOST_LISTED ? all : all.sort((a, b) => b[1] - a[1]).slice(0, MOST_LISTED);
  return listed.sort((a, b) => byUtf8(a[0], b[0]));
}

/** The starts of the last 24 hours, oldest first, with the current one. */
function lastHours(now: number): string[] {
  const current = now - (now % HOUR_MS);
  return Array.from({ length: HOURS }, (_, i) => new Date(current - (HOURS - 1 - i) * HOUR_MS).toISOString());
}

function answersIn(hours: readonly string[], answered: readonly HourOfAnswers[]) {
  const byHour = new Map(answered.map((hour) => [hour.hour, hour]));
  const shown = hours.flatMap((hour) => byHour.get(hour.slice(0, 13)) ?? []);
  const total = (key: Exclude<keyof HourOfAnswers, "hour">) => shown.reduce((sum, hour) => sum + hour[key], 0);
  return {
    total: total("answers"),
    brokenOff: total("brokenOff"),
    byHour: hours.map((hour) => ({ hour, count: byHour.get(hour.slice(0, 13))?.answers ?? 0 })),
    used: total("used"),
    verified: total("verified"),
    intact: total("intact"),
  };
}

type AboutParts = Pick<Tenant, "about" | "model" | "ledger" | "settings" | "cipher">;

export function aboutService({ about, model, ledger, settings, cipher }: AboutParts) {
  const { version, blobs, records } = about;
  return {
    version,
    blobs,
    model: { kind: about.model, name: model.name },
    ledger: { network: ledger.network, ...defined({ url: about.fullNode }) },
    records,
    seed: settings.seed,
    recallLimit: settings.recallLimit,
    encryption: cipher.status(),
  };
}

/** Separate from the rest, because asking for the package opens the local ledger, which takes time and memory. */
export async function aboutLedger({ about, ledger }: Pick<AboutParts, "about" | "ledger">) {
  const naming = await ledger.naming().catch(() => undefined);
  const names = naming && (naming.saltOf === undefined ? ("plain" as const) : ("pseudonyms" as const));
  const packageId = await ledger.packageId();
  return { network: ledger.network, packageId, ...defined({ names, url: about.fullNode }) };
}

/** What a verifier may pin. Nobody has to believe it: the gate on the ledger names the keys, too. */
export async function trustRoot({ ledger, records, log }: Pick<Tenant, "ledger" | "records" | "log">) {
  const keys = await records.signingKeys.list();
  return {
    network: ledger.network,
    packageId: await ledger.packageId(),
    ...(await ledger.gate()),
    keys: keys.map(inHex),
    logKey: await log.vkey(),
  };
}

export const inHex = ({ keyId, publicKey, ...dates }: PublicSigningKey) => ({
  keyId,
  publicKey: Buffer.from(publicKey).toString("hex"),
  ...dates,
});
