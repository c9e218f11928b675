// All checks of a verification, each with its raw bytes and a command to repeat it.
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import { isCited, memoriesSummary } from "#core/receipt/citations.ts";
import { CHECK_TITLE, needsOpening } from "#core/verify/labels.ts";
import { type Endpoints, hashBlob, readBlob, readObject } from "#core/verify/shell-commands.ts";
import type { CheckInProgress } from "#core/verify/verify-receipt.ts";
import { baseUrl } from "#web/lib/address.ts";
import { plural } from "#web/lib/strings.ts";
import type { ServiceVerification, ShownVerification } from "#web/pages/verify/use-verification.ts";
import { Disclosure, Fold, RawContent } from "#web/ui/page.tsx";
import { CheckRow, ShellCommand, Values } from "./check-row.tsx";
import { statusLookup } from "./disagreements.ts";

interface CheckListProps {
  readonly browser: ShownVerification;
  readonly service: ServiceVerification | undefined;
}

export function CheckList({ browser, service }: CheckListProps) {
  const { checks, receipt, verdict } = browser.progress;
  const isFailed = verdict === "failed";
  // What needs an opening the service cannot check: it is given none.
  const serviceStatus = statusLookup(service?.checks.filter((check) => !needsOpening(check)) ?? []);
  return (
    <>
      <Fold title="What was checked" open={isFailed}>
        <List
          isFailed={isFailed}
          checks={checks.filter(({ name }) => name !== "memory")}
          row={(check) => (
            <CheckRow key={check.name} check={check} title={CHECK_TITLE[check.name]} service={serviceStatus(check)}>
              {proofOf(check, browser)}
            </CheckRow>
          )}
        />
      </Fold>
      <Fold title={`Memories ${receipt ? memoriesSummary(receipt) : "that were used"}`} open={isFailed}>
        <List
          isFailed={isFailed}
          checks={checks.filter(({ name }) => name === "memory")}
          row={(check) => (
            <MemoryRow key={check.index ?? "all"} check={check} browser={browser} service={serviceStatus(check)} />
          )}
        />
      </Fold>
    </>
  );
}

interface ListProps {
  /** The verification failed: then the checks that passed are folded, so that the others are seen. */
  readonly isFailed: boolean;
  readonly checks: readonly CheckInProgress[];
  readonly row: (check: CheckInProgress) => ReactNode;
}

function List({ isFailed, checks, row }: ListProps) {
  const folded = isFailed ? checks.filter(({ status }) => status === "pass") : [];
  const shown = checks.filter((check) => !folded.includes(check));
  return (
    <>
      {shown.length > 0 && <ol className={LIST}>{shown.map(row)}</ol>}
      {folded.length > 0 && (
        <Disclosure summary={`${plural(folded.length, "check")} passed`} className="mt-3">
          <ol className={LIST}>{folded.map(row)}</ol>
        </Disclosure>
      )}
    </>
  );
}

const LIST = "divide-y divide-line overflow-hidden rounded-lg border border-line bg-card";

/** The servers that the commands ask. */
const endpointsOf = ({ sources }: ShownVerification): Endpoints => ({
  origin: baseUrl(),
  aggregator: sources.aggregator || baseUrl(),
});

function proofOf({ name }: CheckInProgress, browser: ShownVerification): ReactNode {
  const { sources, observation, progress } = browser;
  const { chain } = progress;
  const endpoints = endpointsOf(browser);
  const { blob, receiptId, object, gate } = observation;
  switch (name) {
    case "object":
      return (
        <>
          {typeof object === "object" && (
            <RawBytes what="The object’s BCS" bytes={object.content} text={bytesToHex(object.content)} />
          )}
          <ShellCommand command={readObject({ receiptId, network: sources.network }, endpoints)} />
        </>
      );
    case "identity":
      return typeof object === "object" && object.bcs !== undefined ? (
        <RawBytes what="The whole object’s BCS" bytes={object.bcs} text={bytesToHex(object.bcs)} />
      ) : undefined;
    case "gate":
      return typeof gate === "object" ? (
        <RawBytes what="The policy object’s BCS" bytes={gate.content} text={bytesToHex(gate.content)} />
      ) : undefined;
    case "blob":
      return chain && <ShellCommand command={readBlob("Fetch the receipt’s bytes.", chain.blobId, endpoints)} />;
    case "digest":
      return chain && <ShellCommand command={hashBlob(chain, endpoints)} />;
    case "receipt":
      return blob instanceof Uint8Array ? <RawBytes what="The fetched bytes" bytes={blob} /> : undefined;
    default:
      return undefined;
  }
}

interface MemoryRowProps {
  readonly check: CheckInProgress;
  readonly browser: ShownVerification;
  readonly service: CheckInProgress["status"] | undefined;
}

function MemoryRow({ check, browser, service }: MemoryRowProps) {
  const { observation, progress } = browser;
  const { index, status } = check;
  const memory = index === undefined ? undefined : progress.receipt?.usedMemories[index];
  if (index === undefined || memory === undefined) {
    return <CheckRow check={check} title={CHECK_TITLE.memory} service={service} />;
  }
  const bytes = observation.memories.get(memory.storeRef);
  // The quote above already shows the compared values when they are the same.
  const isSame = status !== "fail" || !("compared" in check) || check.compared === undefined;
  return (
    <CheckRow
      check={check}
      title={
        <>
          Memory {index + 1} in <bdi className="untrusted">{visible(memory.namespace)}</bdi>
          {isCited(memory) && ", cited"}
        </>
      }
      quote={
        <blockquote className="untrusted my-1.5 font-serif text-lg" dir="auto">
          {visible(memory.snippet)}
        </blockquote>
      }
      service={service}
      values={isSame ? <Values rows={{ blob: visible(memory.storeRef) }} /> : undefined}
    >
      {bytes instanceof Uint8Array && <RawBytes what="The fetched bytes" bytes={bytes} />}
      <ShellCommand command={readBlob("Read this memory’s blob.", memory.storeRef, endpointsOf(browser))} />
    </CheckRow>
  );
}

const utf8 = new TextDecoder();

interface RawBytesProps {
  readonly what: string;
  readonly bytes: Uint8Array;
  readonly text?: string;
}

const RawBytes = ({ what, bytes, text = utf8.decode(bytes) }: RawBytesProps) => (
  <RawContent summary={`${what}, ${bytes.byteLength.toLocaleString("en")} bytes`} label={what} text={text} />
);
