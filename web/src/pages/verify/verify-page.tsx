// /verify/<receiptId>: verifies a receipt in this browser, and shows the service's verdict beside it.
import { lazy, Suspense, useEffect, useState } from "react";
import { encode } from "uqr";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { notShown } from "#core/verify/labels.ts";
import { ledgerSourceOf, type Sources } from "#verification/sources.ts";
import { BASE_PATH, baseUrl, parseUrl } from "#web/lib/address.ts";
import { Button, CopyButton } from "#web/ui/form.tsx";
import { Printer, RotateCw } from "#web/ui/icons.tsx";
import { Fold, PageHeader } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Facts } from "#web/ui/text.tsx";
import { CheckList } from "./checks/check-list.tsx";
import { DisagreementAlert, ServiceVerdict } from "./checks/service-verdict.tsx";
import type { HeldReceipt } from "./held-values.tsx";
import { ReaderChoices, trustedIdsOf } from "./reader-choices.tsx";
import { type ReaderSettings, readSettings, writeSettings } from "./reader-settings.ts";
import { DisclosedFields, ReceiptFacts, utcTime } from "./receipt-facts.tsx";
import {
  type ShownVerification,
  useBrowserVerification,
  useOpening,
  useServiceVerification,
} from "./use-verification.ts";
import { VerdictHeader } from "./verdict-header.tsx";
import "./verify.css";

const HeldValues = lazy(() => import("./held-values.tsx"));

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
  const verdict = browser?.progress.verdict;
  const [first, ...limits] = browser === undefined || verdict === undefined ? [] : limitsOf(browser);
  return (
    <div className="verification">
      <VerdictHeader
        receiptId={receiptId}
        browser={browser}
        isBroken={error !== undefined}
        printOnly={<QrCode text={address} label={QR_LABEL} />}
      />
      <div className={hasEnded ? undefined : "shown-later"}>
        {first !== undefined && (
          <p data-not-shown className="measure -mt-4 mb-8 text-sm">
            It is not shown that {first}.
          </p>
        )}
        {error !== undefined && <ProblemNote error={error} onRetry={checkAgain} />}
        {browser && service.verification && <DisagreementAlert browser={browser} service={service.verification} />}
        <div className="grid gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <div className="flex flex-col gap-8 lg:order-last">
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
          <div className="min-w-0">
            {browser && (
              <>
                <CheckList browser={browser} service={service.verification} />
                {limits.length > 0 && (
                  <Fold title="What else is not shown">
                    <ul className="measure flex list-disc flex-col gap-1 pl-5 text-sm">
                      {limits.map((point) => (
                        <li key={point}>{point}.</li>
                      ))}
                    </ul>
                  </Fold>
                )}
                {browser.progress.sealed && (
                  <Fold title="What is sealed">
                    <DisclosedFields sealed={browser.progress.sealed} />
                  </Fold>
                )}
                {held && (
                  <Fold title="What you hold" open={opening.text !== undefined}>
                    <Suspense>
                      <HeldValues
                        key={opening.text}
                        receipt={held}
                        memories={browser.observation.memories}
                        held={opening.text}
                        onOpening={enter}
                      />
                    </Suspense>
                  </Fold>
                )}
              </>
            )}
            {/* A choice has everything checked again, and must not close what it stands in. */}
            <Fold title="Whom you trust">
              {browser && <SourceList sources={browser.sources} />}
              <div className="mt-5">
                <ReaderChoices
                  current={browser && trustedIdsOf(browser)}
                  hasNodes={browser?.sources.fullNodes !== undefined}
                  settings={settings}
                  onChange={choose}
                />
              </div>
            </Fold>
            <Fold title="The service’s verdict">
              <ServiceVerdict {...service} />
            </Fold>
            <Fold title="This page">
              <QrCode text={address} label={QR_LABEL} />
              <p className="mt-3 break-all font-mono text-soft text-xs">{address}</p>
              {endedAt !== undefined && (
                <p className="mt-2 text-soft text-xs">Checked in a browser at {utcTime(endedAt.getTime())}.</p>
              )}
            </Fold>
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

const NotAReceiptId = () => (
  <PageHeader
    title="Not a receipt id"
    lede="A receipt id is 0x and up to 64 hexadecimal digits. Check that you copied the whole address."
  />
);

const QUIET_ZONE = 2;

function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="qr size-36 flex-none rounded-sm bg-[#fff]"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={data.flatMap((row, y) => rowPath(row, y)).join("")} />
    </svg>
  );
}

/** Draws neighbouring modules of a row as one bar, since single modules would show hairlines between them. */
function rowPath(row: readonly boolean[], y: number): string[] {
  const bars: string[] = [];
  let x = 0;
  while (x < row.length) {
    const start = x;
    while (row[x] === true) x++;
    if (x > start) bars.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
    x++;
  }
  return bars;
}

/** What the verdict does not show, with this ledger and this store: what matters most comes first. */
const limitsOf = ({ sources, progress }: ShownVerification): readonly string[] =>
  notShown({
    ...progress,
    ledger: ledgerSourceOf(sources),
    store: sources.aggregator === "" ? "mock" : "public",
  });

const CHOSEN_BY = {
  page: "chosen by this page, not by the operator",
  reader: "chosen by you",
  operator: "chosen by the operator",
} as const;

/** Whom this browser asked, and who chose them. */
function SourceList({ sources: { network, fullNodes, aggregator } }: { readonly sources: Sources }) {
  const ledger =
    fullNodes === undefined
      ? "local, kept by this service"
      : `Sui, ${visible(network)}, from ${fullNodes.urls.map(host).join(", ")}, ${CHOSEN_BY[fullNodes.chosenBy]}`;
  const blobs =
    aggregator === "" ? "this service’s own mock store" : `from ${host(aggregator)}, chosen by the operator`;
  return (
    <div data-sources className="measure flex flex-col gap-3 text-sm">
      <Facts className="grid-cols-[5rem_minmax(0,1fr)] break-words" rows={{ Ledger: ledger, Blobs: blobs }} />
      <p>
        The service also sent the code of this page. Repeat the checks with their commands, or on a page{" "}
        <a href="?plain=1">without any script</a>.
      </p>
    </div>
  );
}

const host = (url: string): string => visible(parseUrl(url)?.host ?? url);
