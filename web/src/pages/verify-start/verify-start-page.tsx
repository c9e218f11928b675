// /verify: the way in for whoever holds a receipt, or an id of one. Files and texts stay in this browser.

import { useState } from "react";
import { Redirect, useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { TrustedIds } from "#core/verify/observation.ts";
import { client } from "#web/api/client.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { BASE_PATH, baseUrl, useSearchParams } from "#web/lib/address.ts";
import { dropZone, useDroppedFile } from "#web/lib/files.ts";
import { ReaderChoices } from "#web/pages/verify/reader-choices.tsx";
import { type ReaderSettings, readSettings, writeSettings } from "#web/pages/verify/reader-settings.ts";
import { WorthOfProof } from "#web/receipt/receipt-status.tsx";
import { Button, Field, FileButton, Form, TextInput } from "#web/ui/form.tsx";
import { LockKeyhole } from "#web/ui/icons.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Fold, PageHeader } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { type Entered, faultOf, readEntered } from "./entered-text.ts";
import type { HeldFile } from "./held-file.ts";

// What reads and verifies files is loaded when there is one.
const results = () => import("./results.tsx");
const BundleResult = lazyPart(async () => (await results()).BundleResult);
const FoundResult = lazyPart(async () => (await results()).FoundResult);
const HeldResult = lazyPart(async () => (await results()).HeldResult);

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
    const fragment = opening === undefined ? "" : `#${await (await results()).writeFragment(opening)}`;
    navigate(pagePath("verify", { receiptId }) + fragment);
  }
  function enter(entered: Entered): void {
    if (entered.kind === "receipt") navigate(addressOf(entered));
    else if (entered.kind === "text")
      void results().then(({ readText }) => open("What you pasted", readText(entered.text)));
    else if (entered.kind === "id") {
      setFile(undefined);
      setParams({ q: entered.id });
    }
  }
  const choose = async (chosen: File) => open(chosen.name, await (await results()).readFile(chosen));
  const isDragging = useDroppedFile((chosen) => void choose(chosen));

  // A link to here with the id of an object is a link to its verification.
  if (asked?.kind === "receipt") return <Redirect to={addressOf(asked)} replace />;
  return (
    <>
      <PageHeader title="Verify a receipt" lede="Was an answer allowed all that it used?" />
      <div className="grid items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <ReceiptBox
            key={query}
            initial={query}
            fault={asked?.kind === "text" ? "That is not the id of a receipt." : asked && faultOf(asked)}
            isDragging={isDragging}
            onEnter={enter}
            onFile={(chosen) => void choose(chosen)}
          />
          <div aria-live="polite" className="mt-8 empty:hidden">
            {file !== undefined && <FileResult {...file} />}
            {asked?.kind === "id" && <FoundResult key={asked.id} id={asked.id} />}
          </div>
        </div>
        <div className="flex flex-col gap-3 text-sm">
          <WorthOfProof className="measure border-iron border-l-3 pl-4" />
          {service !== undefined && (
            <a href={`${BASE_PATH}/guides/verify.html#what-is-shown-and-what-is-not`}>What is shown, and what is not</a>
          )}
        </div>
      </div>
      {/* What is above it depends on the service: it must not move. */}
      {!isPending && <StartChoices hasNodes={service?.ledger.url !== undefined} />}
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
    <Fold title={hasNodes ? "Trusted ids and full nodes" : "Trusted ids"} className="mt-12">
      <ReaderChoices current={undefined} hasNodes={hasNodes} settings={settings} onChange={choose} />
      <p className="mt-3">
        <Button busy={pinning.isPending} onClick={() => pinning.mutate()}>
          {settings.trusted === undefined ? "Trust what this service names" : "Trust what it names now"}
        </Button>
      </p>
      {pinning.error !== null && <ProblemNote error={pinning.error} onRetry={() => pinning.mutate()} />}
    </Fold>
  );
}

interface ReceiptBoxProps {
  readonly initial: string;
  /** What is wrong with the text in the address. */
  readonly fault: string | undefined;
  readonly isDragging: boolean;
  readonly onEnter: (entered: Entered) => void;
  readonly onFile: (file: File) => void;
}

function ReceiptBox({ initial, fault: first, isDragging, onEnter, onFile }: ReceiptBoxProps) {
  const [text, setText] = useState(initial);
  const [fault, setFault] = useState(first);
  function submit(): void {
    const entered = readEntered(text, baseUrl());
    setFault(faultOf(entered));
    onEnter(entered);
  }
  return (
    <div className="rounded-lg border border-line bg-card px-5 py-6 shadow-lift sm:px-8 sm:py-8">
      <Form onSubmit={submit}>
        <Field
          label="Id of the receipt, or a link to it"
          hint="Receipt id (0x…), transaction, blob id, digest or answer id."
          error={fault}
        >
          {(control) => (
            <div className="flex flex-wrap gap-3">
              <TextInput
                {...control}
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
                className="min-h-13 min-w-0 flex-1 basis-64 font-mono"
              />
              <Button type="submit" look="primary" className="min-h-13 flex-none px-8 max-sm:w-full">
                Verify
              </Button>
            </div>
          )}
        </Field>
      </Form>
      <div className={`${dropZone(isDragging)} mt-6 flex flex-wrap items-center gap-x-5 gap-y-3`}>
        <p className="min-w-0 flex-1 basis-60 text-sm">
          <b className="font-medium">Or drop a file anywhere on this page</b>: a receipt, an answer, or a proof.
        </p>
        <FileButton label="Receipt as a file" accept=".json,.txt,application/json" onFile={onFile}>
          Choose a file
        </FileButton>
      </div>
      <p className="mt-4 flex items-start gap-2 text-soft text-xs">
        <LockKeyhole className="mt-0.5 size-3.5 flex-none" />
        <span className="measure">
          Files stay in your browser. The service learns the digest or the answer id, to find the anchor.
        </span>
      </p>
    </div>
  );
}
