// /verify: the way in for whoever holds a receipt, or an id of one. It needs no key. Files and texts stay in this
// browser.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Redirect, useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { notShown, shown } from "#core/verify/labels.ts";
import type { TrustedIds } from "#core/verify/observation.ts";
import { ledgerSourceOf, sourcesOf } from "#verification/sources.ts";
import { client } from "#web/api/client.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { BASE_PATH, baseUrl, useSearchParams } from "#web/lib/address.ts";
import { useDroppedFile } from "#web/lib/files.ts";
import { ReaderChoices } from "#web/pages/verify/reader-choices.tsx";
import { type ReaderSettings, readSettings, writeSettings } from "#web/pages/verify/reader-settings.ts";
import { writeFragment } from "#web/receipt/opening-link.ts";
import { WorthOfProof } from "#web/receipt/worth-of-proof.tsx";
import { Button } from "#web/ui/form.tsx";
import { Check, Minus } from "#web/ui/icons.tsx";
import { PageHeader } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { BundleResult } from "./bundle-result.tsx";
import { type Entered, faultOf, readEntered } from "./entered-text.ts";
import { FoundResult } from "./found-result.tsx";
import { type HeldFile, readFile, readText } from "./held-file.ts";
import { HeldResult } from "./held-result.tsx";
import { ReceiptBox } from "./receipt-box.tsx";

interface OpenedFile {
  readonly name: string;
  readonly content: HeldFile;
}

export default function VerifyStartPage() {
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<OpenedFile>();
  const query = params.get("q") ?? "";
  const asked = query === "" || file !== undefined ? undefined : readEntered(query, baseUrl());
  const { data: service, isPending } = useServiceInfo();

  function open(name: string, content: HeldFile): void {
    if (content.kind === "proof") void goTo(content);
    else setFile({ name, content });
  }
  async function goTo({ receiptId, opening }: Extract<HeldFile, { kind: "proof" }>): Promise<void> {
    const fragment = opening === undefined ? "" : `#${await writeFragment(opening)}`;
    navigate(pagePath("verify", { receiptId }) + fragment);
  }
  function enter(entered: Entered): void {
    if (entered.kind === "receipt") navigate(addressOf(entered));
    else if (entered.kind === "text") open("What you pasted", readText(entered.text));
    else if (entered.kind === "id") {
      setFile(undefined);
      setParams({ q: entered.id });
    }
  }
  const choose = (chosen: File) => void readFile(chosen).then((content) => open(chosen.name, content));
  const isDragging = useDroppedFile(choose);

  // A link to here with the id of an object is a link to its verification.
  if (asked?.kind === "receipt") return <Redirect to={addressOf(asked)} replace />;
  return (
    <>
      <PageHeader
        title="Verify a receipt"
        lede="Somebody gave you an answer of an AI agent, and a receipt. Find out what the answer was made of, and whether it was allowed."
      />
      <div className="grid items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <ReceiptBox
            key={query}
            initial={query}
            fault={asked?.kind === "text" ? "That is not the id of a receipt." : asked && faultOf(asked)}
            isDragging={isDragging}
            onEnter={enter}
            onFile={choose}
          />
          <div aria-live="polite" className="mt-8 empty:hidden">
            {file !== undefined && <FileResult {...file} />}
            {asked?.kind === "id" && <FoundResult key={asked.id} id={asked.id} />}
          </div>
        </div>
        <aside aria-label="About proofs here" className="flex flex-col gap-10">
          <section>
            <h2 className="mb-3 font-medium font-serif text-lg">What a proof is worth here</h2>
            <WorthOfProof className="measure border-iron border-l-3 pl-4 text-sm" />
          </section>
          {/* What is above it and in it depends on the service: it must not move. */}
          {!isPending && <StartChoices hasNodes={service?.ledger.url !== undefined} />}
        </aside>
      </div>
      {service !== undefined && <ShownAndNotShown service={service} />}
    </>
  );
}

const addressOf = ({ receiptId, fragment }: Extract<Entered, { kind: "receipt" }>): string =>
  `${pagePath("verify", { receiptId })}${fragment === "" ? "" : `#${fragment}`}`;

function FileResult({ name, content }: OpenedFile) {
  if (content.kind === "receipt") return <HeldResult {...content} name={name} />;
  if (content.kind === "bundle") return <BundleResult bundle={content.bundle} name={name} />;
  const fault = content.kind === "none" ? content.fault : "";
  return (
    <div role="alert" className="rounded-lg border border-unknown bg-unknown-wash px-5 py-4">
      <p className="untrusted break-all font-medium">{name} is not a receipt.</p>
      <p className="untrusted mt-1 text-sm">{fault}</p>
    </div>
  );
}

/** Ids that the reader trusts, and a full node. Both stay in this browser. */
function StartChoices({ hasNodes }: { readonly hasNodes: boolean }) {
  const [settings, setSettings] = useState(() => readSettings(BASE_PATH));
  const choose = (chosen: ReaderSettings) => {
    writeSettings(BASE_PATH, chosen);
    setSettings(chosen);
  };
  const pinning = useMutation({
    mutationFn: () => client.getTrustRoot(),
    // Not the gate: every tenant of the service has its own, of the same package.
    onSuccess: ({ packageId, keys }) => {
      const trusted: TrustedIds = { packageId, keyIds: keys.map(({ keyId }) => keyId) };
      choose({ ...settings, trusted });
    },
  });
  return (
    <section>
      <h2 className="mb-3 font-medium font-serif text-lg">{hasNodes ? "Trusted ids and full nodes" : "Trusted ids"}</h2>
      <ReaderChoices current={undefined} hasNodes={hasNodes} settings={settings} onChange={choose} />
      <p className="mt-3">
        <Button busy={pinning.isPending} onClick={() => pinning.mutate()}>
          {settings.trusted === undefined ? "Trust what this service names" : "Trust what it names now"}
        </Button>
      </p>
      {pinning.error !== null && <ProblemNote error={pinning.error} onRetry={() => pinning.mutate()} />}
    </section>
  );
}

/** What a verified receipt shows, beside what it does not, with this service's ledger and blob store. */
function ShownAndNotShown({ service }: { readonly service: Reply<"getService"> }) {
  const ledger = ledgerSourceOf(sourcesOf(service, undefined));
  const store = service.blobs.kind === "memory" ? "mock" : "public";
  return (
    <div className="mt-12 grid gap-x-14 gap-y-10 lg:grid-cols-2">
      <Points title="What a verified receipt shows" begin="It shows that" points={shown({ ledger, store })} isShown />
      <Points title="What it does not show" begin="It does not show that" points={notShown({ ledger, store })} />
    </div>
  );
}

interface PointsProps {
  readonly title: string;
  readonly begin: string;
  readonly points: readonly string[];
  readonly isShown?: boolean;
}

function Points({ title, begin, points, isShown = false }: PointsProps) {
  const Icon = isShown ? Check : Minus;
  return (
    <section>
      <h2 className="font-medium font-serif text-xl">{title}</h2>
      <p className="mt-1 text-sm text-soft">{begin}</p>
      <ul className="mt-3 flex flex-col gap-3 text-sm">
        {points.map((point) => (
          <li key={point} className="measure flex items-start gap-2.5">
            <Icon className={`mt-0.5 size-4 flex-none ${isShown ? "text-pass" : "text-soft"}`} />
            <span>{point}.</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
