// All checks, each with its bytes and its command.
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import { CHECK_TITLE } from "#core/verify/labels.ts";
import type { CheckInProgress } from "#core/verify/progress.ts";
import { type Endpoints, hashBlob, readBlob, readObject } from "#core/verify/shell-commands.ts";
import { Section } from "#web/ui/page-header.tsx";
import { statusesOf } from "./agreement.ts";
import { CheckRow } from "./check-row.tsx";
import { Values } from "./compared.tsx";
import type { Look } from "./look/run.ts";
import { RawHex, RawText } from "./raw.tsx";
import { Repeat } from "./repeat.tsx";
import type { Verification } from "./use-verification.ts";

interface ChecksProps {
  readonly look: Look;
  readonly service: Verification | undefined;
}

export function Checks({ look, service }: ChecksProps) {
  const { checks } = look.progress;
  const theirs = statusesOf(service?.checks ?? []);
  const ofMemories = checks.filter(({ name }) => name === "memory");
  return (
    <>
      <Section title="What was checked" lede={<WhereFrom look={look} />} className="">
        <List>
          {checks
            .filter(({ name }) => name !== "memory")
            .map((check) => (
              <CheckRow key={check.name} check={check} title={CHECK_TITLE[check.name]} service={theirs(check)}>
                {proofOf(check, look)}
              </CheckRow>
            ))}
        </List>
      </Section>
      <Section title="Memories that were used">
        <List>
          {ofMemories.map((check) => (
            <MemoryRow key={check.index ?? "all"} check={check} look={look} service={theirs(check)} />
          ))}
        </List>
      </Section>
    </>
  );
}

const List = ({ children }: { readonly children: ReactNode }) => (
  <ol className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-card">{children}</ol>
);

function WhereFrom({ look: { where } }: { readonly look: Look }) {
  if (where === undefined) return "Your browser is asking where to look.";
  const blobs = where.aggregator === "" ? "this service, whose blobs are a mock store," : host(where.aggregator);
  const ledger = where.url === undefined ? "this service’s local ledger" : host(where.url);
  const isApart = where.url !== undefined && where.aggregator !== "";
  const rest = isApart ? " This service is asked for none of it." : "";
  return `Your browser itself asks ${ledger} for the object and ${blobs} for the blobs, and decodes and hashes what comes.${rest}`;
}

const host = (url: string): string => URL.parse(url)?.host ?? url;

/** Where the commands lead. */
const placesOf = ({ where }: Look): Endpoints => ({
  origin: location.origin,
  aggregator: where?.aggregator || location.origin,
});

function proofOf({ name }: CheckInProgress, look: Look): ReactNode {
  const { where, object, seen, progress } = look;
  const { chain } = progress;
  const places = placesOf(look);
  const { blob } = seen;
  switch (name) {
    case "object":
      return (
        <>
          {typeof object === "object" && <RawHex what="The object’s BCS" bytes={object.content} />}
          {where && <Repeat command={readObject({ receiptId: seen.receiptId, network: where.network }, places)} />}
        </>
      );
    case "blob":
      return chain && <Repeat command={readBlob("Fetch the receipt’s bytes.", chain.blobId, places)} />;
    case "digest":
      return chain && <Repeat command={hashBlob(chain, places)} />;
    case "receipt":
      return blob instanceof Uint8Array ? <RawText what="The bytes that came" bytes={blob} /> : undefined;
    default:
      return undefined;
  }
}

interface MemoryRowProps {
  readonly check: CheckInProgress;
  readonly look: Look;
  readonly service: CheckInProgress["status"] | undefined;
}

function MemoryRow({ check, look, service }: MemoryRowProps) {
  const { seen, progress } = look;
  const { index, status } = check;
  const memory = index === undefined ? undefined : progress.receipt?.usedMemories[index];
  if (index === undefined || memory === undefined) {
    return <CheckRow check={check} title={CHECK_TITLE.memory} service={service} />;
  }
  const bytes = seen.memories.get(memory.storeRef);
  // What a memory was compared with stands there already, when it was the same.
  const isSame = status !== "fail" || !("compared" in check) || check.compared === undefined;
  return (
    <CheckRow
      check={check}
      title={
        <>
          Memory {index + 1} in <bdi className="outside">{visible(memory.namespace)}</bdi>
        </>
      }
      shown={
        <blockquote className="outside my-1.5 font-serif text-lg" dir="auto">
          {visible(memory.snippet)}
        </blockquote>
      }
      service={service}
      values={isSame ? <Values rows={[["blob", visible(memory.storeRef)]]} /> : undefined}
    >
      {bytes instanceof Uint8Array && <RawText what="The bytes that came" bytes={bytes} />}
      <Repeat command={readBlob("Read this memory’s blob.", memory.storeRef, placesOf(look))} />
    </CheckRow>
  );
}
