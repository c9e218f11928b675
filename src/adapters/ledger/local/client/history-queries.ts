// Queries of transactions and events, by page, oldest or newest first.
import type { SuiClientTypes } from "@mysten/sui/client";
import { normalizeStructTag, normalizeSuiAddress } from "@mysten/sui/utils";
import { MODULE, typeName } from "#adapters/ledger/gate-module.ts";
import type { Executed } from "#adapters/ledger/local/execution/effects.ts";
import { SUI_LIMITS } from "#adapters/ledger/local/execution/transaction.ts";
import { pageOfHistory } from "./paging.ts";
import { eventView } from "./sdk-views.ts";

type History = readonly Executed[];

/** The genesis is left out, because the SDK cannot read system transactions. */
export function transactionPage(history: History, options: SuiClientTypes.ListTransactionsOptions) {
  const matches = transactionFilter(options.filter);
  return pageOfHistory(options, function* (descending) {
    for (const executed of inOrder(history, descending)) if (matches(executed)) yield [executed.sequence, executed];
  });
}

export function eventPage(history: History, options: SuiClientTypes.ListEventsOptions) {
  const matches = eventFilter(options.filter);
  return pageOfHistory<SuiClientTypes.EventEntry>(options, function* (descending) {
    for (const executed of inOrder(history, descending)) {
      const entries = executed.events.map((event, eventIndex) => ({ event, eventIndex }));
      for (const { event, eventIndex } of descending ? entries.reverse() : entries) {
        if (!matches(executed, event.name)) continue;
        const { sequence, digest } = executed;
        const place = { checkpoint: String(sequence), transactionDigest: digest, eventIndex };
        const position = sequence * SUI_LIMITS.max_num_event_emit + eventIndex;
        yield [position, { ...eventView(event, executed), ...place }];
      }
    }
  });
}

function* inOrder(history: History, descending: boolean): Generator<Executed> {
  for (let i = 1; i < history.length; i++) {
    const executed = history[descending ? history.length - i : i];
    if (executed !== undefined) yield executed;
  }
}

type Matches<Args extends unknown[]> = (...args: Args) => boolean;

function transactionFilter(filter: SuiClientTypes.TransactionFilter | undefined): Matches<[Executed]> {
  if (filter?.sender !== undefined) return bySender(filter.sender);
  if (filter?.function === undefined) return () => true;
  const [address = "", module = MODULE, name] = filter.function.split("::");
  if (module !== MODULE) return () => false;
  const wanted = normalizeSuiAddress(address);
  return ({ packageId, functions }) => packageId === wanted && (name === undefined || functions.includes(name));
}

function eventFilter(filter: SuiClientTypes.EventFilter | undefined): Matches<[Executed, string]> {
  if (filter?.sender !== undefined) return bySender(filter.sender);
  const wanted = filter?.emitModule ?? filter?.eventType;
  if (wanted === undefined) return () => true;
  const parts = wanted.split("::");
  if (parts.length === 2) {
    const [address = "", module] = parts;
    return ({ packageId }) => normalizeSuiAddress(address) === packageId && module === MODULE;
  }
  const type = normalizeStructTag(wanted);
  return ({ packageId }, name) => typeName(packageId, name) === type;
}

function bySender(sender: string): Matches<[Executed]> {
  const address = normalizeSuiAddress(sender);
  return (executed) => executed.sender === address;
}
