// /verify: the front door for whoever holds a receipt, or an id of one. It needs no key. Files and texts stay in this
// browser.
import { useState } from "react";
import { Redirect, useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { baseUrl } from "#web/lib/base-path.ts";
import { useDroppedFile } from "#web/lib/use-dropped-file.ts";
import { useSearchParams } from "#web/lib/use-search-params.ts";
import { writeFragment } from "#web/receipt/opening-link.ts";
import { WorthOfProof } from "#web/receipt/worth-of-proof.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { type Entered, readEntered } from "./entered-text.ts";
import { FoundResult } from "./found-result.tsx";
import { type HeldFile, readFile, readText } from "./held-file.ts";
import { HeldResult } from "./held-result.tsx";
import { ReceiptBox } from "./receipt-box.tsx";
import { ShownAndNotShown } from "./shown-and-not-shown.tsx";
import { StartChoices } from "./start-choices.tsx";

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
  const { data: service } = useServiceInfo();

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
            fault={asked !== undefined && asked.kind !== "id" ? faultOf(asked) : undefined}
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
          <StartChoices hasNodes={service?.ledger.url !== undefined} />
        </aside>
      </div>
      {service !== undefined && <ShownAndNotShown service={service} />}
    </>
  );
}

const addressOf = ({ receiptId, fragment }: Extract<Entered, { kind: "receipt" }>): string =>
  `${pagePath("verify", { receiptId })}${fragment === "" ? "" : `#${fragment}`}`;

/** For an address that somebody else made. */
const faultOf = (entered: Entered): string =>
  entered.kind === "none" ? entered.fault : "That is not an id of a receipt.";

function FileResult({ name, content }: OpenedFile) {
  if (content.kind === "receipt") return <HeldResult {...content} name={name} />;
  const fault = content.kind === "none" ? content.fault : "";
  return (
    <div role="alert" className="rounded-lg border border-unknown bg-unknown-wash px-5 py-4">
      <p className="untrusted break-all font-medium">{name} is not a receipt.</p>
      <p className="untrusted mt-1 text-sm">{fault}</p>
    </div>
  );
}
