// /verify/<receiptId>: verifies a receipt in this browser, and shows the service's verdict beside it.

import { type ReactNode, useEffect, useState } from "react";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { BASE_PATH, baseUrl } from "#web/lib/address.ts";
import { WorthOfProof } from "#web/receipt/worth-of-proof.tsx";
import { Button, CopyButton } from "#web/ui/form.tsx";
import { Printer, RotateCw } from "#web/ui/icons.tsx";
import { PageHeader, Section } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { CheckList } from "./checks/check-list.tsx";
import { DisagreementAlert, ServiceVerdict } from "./checks/service-verdict.tsx";
import { type HeldReceipt, HeldValues } from "./held-values.tsx";
import { QrCode } from "./paper.tsx";
import { ReaderChoices, trustedIdsOf } from "./reader-choices.tsx";
import { type ReaderSettings, readSettings, writeSettings } from "./reader-settings.ts";
import { DisclosedFields, ReceiptFacts, utcTime } from "./receipt-facts.tsx";
import { NotShown, SourceList, TrustAssumptions } from "./trust-assumptions.tsx";
import {
  type ShownVerification,
  useBrowserVerification,
  useOpening,
  useServiceVerification,
} from "./use-verification.ts";
import { VerdictHeader } from "./verdict-header.tsx";
import "./verify.css";

export default function VerifyPage({ params }: { readonly params: PageParams<"verify"> }) {
  const receiptId = fullAddress(params.receiptId);
  return receiptId === undefined ? <NotAReceiptId /> : <Verification key={receiptId} receiptId={receiptId} />;
}

function Verification({ receiptId }: { readonly receiptId: string }) {
  const [settings, setSettings] = useState(() => readSettings(BASE_PATH));
  useEffect(() => {
    if (settings.fullNode !== undefined && !wasLoadedHere()) location.reload();
  }, [settings]);
  const { enter, ...opening } = useOpening();
  const run = useBrowserVerification(receiptId, settings, opening);
  const service = useServiceVerification(receiptId);
  const { verification: browser, error, endedAt } = run;
  const held = browser && heldAgainst(browser.progress);
  const address = `${baseUrl()}${pagePath("verify", { receiptId })}`;
  const choose = (chosen: ReaderSettings) => {
    writeSettings(BASE_PATH, chosen);
    if (chosen.fullNode === settings.fullNode) setSettings(chosen);
    else location.reload();
  };
  // The rows grow with their results. They are shown when all are there, so that nothing moves.
  const [hasEnded, setHasEnded] = useState(false);
  const isServiceDone = service.verification !== undefined || service.error !== null;
  if (!hasEnded && endedAt !== undefined && isServiceDone) setHasEnded(true);
  const checkAgain = () => {
    run.restart();
    service.restart();
  };
  return (
    <div className="verification">
      <VerdictHeader
        receiptId={receiptId}
        browser={browser}
        isBroken={error !== undefined}
        printOnly={<QrCode text={address} label={QR_LABEL} />}
      />
      <div className={hasEnded ? undefined : "shown-later"}>
        {browser?.progress.verdict !== undefined && (
          <WorthOfProof className="measure -mt-4 mb-10 border-iron border-l-3 pl-4 text-sm" />
        )}
        {browser?.progress.verdict !== undefined && <NotShown browser={browser} />}
        {error !== undefined && <ProblemNote error={error} onRetry={checkAgain} />}
        {browser && service.verification && <DisagreementAlert browser={browser} service={service.verification} />}
        <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr]">
          <div className="flex flex-col gap-8 lg:col-start-2">
            <div className="no-print grid grid-cols-2 gap-3 sm:flex sm:flex-wrap lg:grid">
              <Button look="primary" className="col-span-2" busy={endedAt === undefined} onClick={checkAgain}>
                <RotateCw className="size-4" />
                Check again
              </Button>
              <CopyButton text={address} what="link" look="quiet" />
              <Button onClick={() => print()}>
                <Printer className="size-4" />
                Print
              </Button>
            </div>
            {browser && <ReceiptFacts browser={browser} explorerUrl={service.verification?.explorerUrl} />}
          </div>
          <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
            {browser && <CheckList browser={browser} service={service.verification} />}
            {browser?.progress.sealed && (
              <Section title="What is sealed">
                <DisclosedFields sealed={browser.progress.sealed} />
              </Section>
            )}
            {browser && held && (
              <Section title="What you hold" className="no-print mt-12">
                <HeldValues
                  key={opening.text}
                  receipt={held}
                  memories={browser.observation.memories}
                  held={opening.text}
                  onOpening={enter}
                />
              </Section>
            )}
            {browser && (
              <Section title="What you still have to trust" className="no-print mt-12">
                <TrustAssumptions sources={browser.sources} packageId={browser.observation.packageId} />
              </Section>
            )}
          </div>
          <div className="no-print flex flex-col gap-8 lg:col-start-2">
            {browser && (
              <>
                <Aside title="Whom your browser asked">
                  <SourceList sources={browser.sources} />
                </Aside>
                <Aside title="Ids that you trust">
                  <ReaderChoices
                    current={trustedIdsOf(browser)}
                    hasNodes={browser.sources.fullNodes !== undefined}
                    settings={settings}
                    onChange={choose}
                  />
                </Aside>
              </>
            )}
            <Aside title="The service’s verdict">
              <ServiceVerdict {...service} />
            </Aside>
            <Aside title="This page">
              <div className="no-print">
                <QrCode text={address} label={QR_LABEL} />
              </div>
              <p className="mt-3 break-all font-mono text-soft text-xs">{address}</p>
              {endedAt !== undefined && (
                <p className="mt-2 text-soft text-xs">Checked in a browser at {utcTime(endedAt.getTime())}.</p>
              )}
            </Aside>
          </div>
        </div>
      </div>
    </div>
  );
}

/** Only the verifier's page may ask a node of the reader's, so it must not be one that the reader came to from another. */
function wasLoadedHere(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded === undefined || new URL(loaded.name).pathname === location.pathname;
}

/** What has commitments: the receipt, or of a sealed one the sealed form, whose memories are not known. */
function heldAgainst({ receipt, sealed }: ShownVerification["progress"]): HeldReceipt | undefined {
  return receipt ?? (sealed && { evidence: sealed.receipt });
}

const QR_LABEL = "QR code of this page’s address";

function Aside({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 border-line border-t pt-4 font-medium font-serif text-lg">{title}</h2>
      {children}
    </section>
  );
}

function NotAReceiptId() {
  return (
    <>
      <PageHeader title="Not a receipt id" lede="A receipt id is 0x and up to 64 hexadecimal digits." />
      <p className="measure">
        Check that you copied the whole address. It ends in the <code className="font-mono">receiptId</code> of the
        anchored receipt.
      </p>
    </>
  );
}
