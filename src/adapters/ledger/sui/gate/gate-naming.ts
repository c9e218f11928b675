// Which names a gate has: plain ones or pseudonyms. The gate says it, and what it once said is on record. So a node that
// lies about it does not make the service publish the names that it hides.
import { randomBytes } from "node:crypto";
import type { GateState } from "#adapters/ledger/sui/chain-reader.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { PortcullisError } from "#core/errors.ts";
import { type Naming, PLAIN_NAMES, pseudonyms } from "#core/ledger/pseudonym.ts";
import type { ChainAnchorRequest, WriteOnceValues } from "#ports.ts";

export type Names = "plain" | "pseudonyms";

interface Options {
  readonly gateId: string;
  readonly values: WriteOnceValues;
  /** What the configuration demands. Left out: what the gate says. */
  readonly wanted?: Names | undefined;
}

export type ReadNaming = ReturnType<typeof createGateNaming>;

export interface GateNaming {
  readonly naming: Naming;
  /** Whether the gate is new, and has to be told first that it has pseudonyms. */
  readonly isDue: boolean;
}

const SECRET_BYTES = 32;

/** Rejects with `ledger-refused` when the gate says something else than the configuration, or than it said before. */
export function createGateNaming({ gateId, values, wanted }: Options) {
  let settled: GateNaming | undefined;

  async function namingOf(names: Names): Promise<Naming> {
    const said = Buffer.from(await values.putIfAbsent(`gate-names ${gateId}`, Buffer.from(names))).toString();
    if (said !== names) throw refusal(gateId, `had ${inWords(said)} before, and now has ${inWords(names)}`);
    if (names === "plain") return PLAIN_NAMES;
    return pseudonyms(await secretOf(values));
  }

  /** `isOurs`: we hold the PolicyCap, with which a new gate is told. */
  return async ({ pseudonyms: hasPseudonyms, isEmpty }: GateState, isOurs = true): Promise<GateNaming> => {
    if (settled !== undefined && !settled.isDue && (settled.naming.saltOf !== undefined) === hasPseudonyms)
      return settled;
    const isDue = wanted === "pseudonyms" && !hasPseudonyms && isEmpty && isOurs;
    const names = hasPseudonyms || isDue ? "pseudonyms" : "plain";
    if (wanted !== undefined && wanted !== names) throw refusal(gateId, demands(names, wanted));
    settled = { naming: await namingOf(names), isDue };
    return settled;
  };
}

const secretOf = (values: WriteOnceValues) => values.putIfAbsent("pseudonym-secret", randomBytes(SECRET_BYTES));

/** The names that a gate gets which is not made yet. */
export async function namingToBe(
  { writeOnce }: { readonly writeOnce: WriteOnceValues },
  wanted: Names | undefined,
): Promise<Naming> {
  return wanted === "pseudonyms" ? pseudonyms(await secretOf(writeOnce)) : PLAIN_NAMES;
}

/** Rejects when the gate said something else before than the configuration demands now. The gate is not asked. */
export async function refuseOtherNames({ gateId, values, wanted }: Options): Promise<void> {
  if (wanted === undefined) return;
  const said = await values.find(`gate-names ${gateId}`);
  const names = said && Buffer.from(said).toString();
  if (names !== undefined && names !== wanted) throw refusal(gateId, demands(names, wanted));
}

const demands = (names: string, wanted: Names): string =>
  `has ${inWords(names)} for ever, and LEDGER_NAMES demands ${inWords(wanted)}`;

const refusal = (gateId: string, what: string): PortcullisError =>
  new PortcullisError(
    "ledger-refused",
    `The gate ${gateId} ${what}. Nothing is sent to it. Check SUI_GATE_ID, SUI_URL and LEDGER_NAMES.`,
  );

const inWords = (names: string): string => (names === "pseudonyms" ? "pseudonyms" : "plain names");

export function requestOnLedger<R extends Pick<ChainAnchorRequest, "agentId" | "claimed">>(
  request: R,
  { onLedger }: Naming,
): R {
  const claimed = request.claimed.map(onLedger);
  return { ...request, agentId: onLedger(request.agentId), claimed: claimed.sort(byUtf8) };
}
