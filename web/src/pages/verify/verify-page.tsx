// /verify/<receiptId>: verifies a receipt in this browser, and shows the service's verdict beside it.
import { useEffect, useState } from "react";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { BASE_PATH, baseUrl } from "#web/lib/address.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { PageHeader } from "#web/ui/page.tsx";
import { type ReaderSettings, readSettings, writeSettings } from "./reader-settings.ts";
import { useBrowserVerification, useOpening, useServiceVerification } from "./use-verification.ts";
import { VerdictHeader } from "./verdict-header.tsx";

// The verdict has its place before there is one. What verifies comes first, and what shows it meanwhile.
const VerificationDetails = lazyPart(async () => (await import("./verification-details.tsx")).default);
const QrCode = lazyPart(async () => (await import("./qr-code.tsx")).default);

export default function VerifyPage({ params }: { readonly params: PageParams<"verify"> }) {
  const receiptId = fullAddress(params.receiptId);
  return receiptId === undefined ? <NotAReceiptId /> : <Verification key={receiptId} receiptId={receiptId} />;
}

function Verification({ receiptId }: { readonly receiptId: string }) {
  const [settings, setSettings] = useState(() => readSettings(BASE_PATH));
  useEffect(() => {
    if (settings.fullNode !== undefined && !wasLoadedHere()) location.reload();
  }, [settings]);
  const opening = useOpening();
  const run = useBrowserVerification(receiptId, settings, opening);
  const service = useServiceVerification(receiptId);
  const { verification: browser, error, endedAt } = run;
  const address = `${baseUrl()}${pagePath("verify", { receiptId })}`;
  const choose = (chosen: ReaderSettings) => {
    writeSettings(BASE_PATH, chosen);
    if (chosen.fullNode === settings.fullNode) setSettings(chosen);
    else location.reload();
  };
  const [isBegun, setBegun] = useState(false);
  if (!isBegun && (browser !== undefined || error !== undefined)) setBegun(true);
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
        printOnly={isBegun && <QrCode text={address} />}
      />
      {isBegun && (
        <VerificationDetails
          {...{ hasEnded, address, run, service, opening, settings, checkAgain }}
          onChoice={choose}
        />
      )}
    </div>
  );
}

/** Only the verifier's page may ask a node of the reader's, so it must not be one that the reader came to from another. */
function wasLoadedHere(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded === undefined || new URL(loaded.name).pathname === location.pathname;
}

const NotAReceiptId = () => (
  <PageHeader
    title="Not a receipt id"
    lede="A receipt id is 0x and up to 64 hexadecimal digits. Check that you copied the whole address."
  />
);
