// What a verification shows below its verdict. It is loaded while the browser verifies.
import { visible } from "#core/encoding/visible-text.ts";
import { notShown } from "#core/verify/labels.ts";
import { ledgerSourceOf, type Sources } from "#verification/sources.ts";
import { parseUrl } from "#web/lib/address.ts";
import { Button, CopyButton } from "#web/ui/form.tsx";
import { Printer, RotateCw } from "#web/ui/icons.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Fold } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Facts } from "#web/ui/text.tsx";
import { CheckList } from "./checks/check-list.tsx";
import { DisagreementAlert, ServiceVerdict } from "./checks/service-verdict.tsx";
import QrCode from "./qr-code.tsx";
import { ReaderChoices, trustedIdsOf } from "./reader-choices.tsx";
import type { ReaderSettings } from "./reader-settings.ts";
import { DisclosedFields, ReceiptFacts, utcTime } from "./receipt-facts.tsx";
import type { BrowserRun, ShownVerification, useOpening, useServiceVerification } from "./use-verification.ts";

const HeldValues = lazyPart(async () => (await import("./held-values.tsx")).default);

interface VerificationDetailsProps {
  /** The rows grow with their results. They are shown when all are there, so that nothing moves. */
  readonly hasEnded: boolean;
  readonly address: string;
  readonly run: BrowserRun;
  readonly service: ReturnType<typeof useServiceVerification>;
  readonly opening: ReturnType<typeof useOpening>;
  readonly settings: ReaderSettings;
  readonly onChoice: (settings: ReaderSettings) => void;
  readonly checkAgain: () => void;
}

export default function VerificationDetails(props: VerificationDetailsProps) {
  const { hasEnded, address, run, service, opening, settings, onChoice, checkAgain } = props;
  const { verification: browser, error, endedAt } = run;
  const { receipt, sealed, verdict } = browser?.progress ?? {};
  // What has commitments: the receipt, or of a sealed one the sealed form, whose memories are not known.
  const held = receipt ?? (sealed && { evidence: sealed.receipt });
  const [first, ...limits] = browser === undefined || verdict === undefined ? [] : limitsOf(browser);
  return (
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
            <Button
              look="primary"
              icon={RotateCw}
              className="col-span-2"
              busy={endedAt === undefined}
              onClick={checkAgain}
            >
              Check again
            </Button>
            <CopyButton text={address} what="link" look="quiet" />
            <Button icon={Printer} onClick={() => print()}>
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
              {sealed && (
                <Fold title="What is sealed">
                  <DisclosedFields sealed={sealed} />
                </Fold>
              )}
              {held !== undefined && (
                <Fold title="What you hold" open={opening.text !== undefined}>
                  <HeldValues
                    key={opening.text}
                    receipt={held}
                    memories={browser.observation.memories}
                    held={opening.text}
                    onOpening={opening.enter}
                  />
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
                onChange={onChoice}
              />
            </div>
          </Fold>
          <Fold title="The service’s verdict">
            <ServiceVerdict {...service} />
          </Fold>
          <Fold title="This page">
            <QrCode text={address} />
            <p className="mt-3 break-all font-mono text-soft text-xs">{address}</p>
            {endedAt !== undefined && (
              <p className="mt-2 text-soft text-xs">Checked in a browser at {utcTime(endedAt.getTime())}.</p>
            )}
          </Fold>
        </div>
      </div>
    </div>
  );
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
