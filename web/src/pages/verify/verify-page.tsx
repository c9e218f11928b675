// /verify/<receiptId>: a receipt checked in the visitor's own browser, with the service's verdict beside it.
import { Printer, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { fullAddress } from "#core/encoding/address.ts";
import { Button } from "#web/ui/form/button.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Checks } from "./checks/check-list.tsx";
import { QrCode } from "./qr-code.tsx";
import { Facts, timeOf } from "./receipt-facts.tsx";
import { Disagreement, ServiceWord } from "./service-verdict.tsx";
import { Worth } from "./trust-assumptions.tsx";
import { useUnfoldedPrint } from "./use-expanded-print.ts";
import { useOwnLook, useServiceWord } from "./use-verification.ts";
import { VerdictHeader } from "./verdict-header.tsx";
import "./verify.css";

export default function VerifyPage({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) {
  const receiptId = fullAddress(params.receiptId ?? "");
  return receiptId === undefined ? <NotAnId /> : <Verification key={receiptId} receiptId={receiptId} />;
}

function Verification({ receiptId }: { readonly receiptId: string }) {
  const own = useOwnLook(receiptId);
  const service = useServiceWord(receiptId);
  useUnfoldedPrint();
  const { look, error, endedAt } = own;
  const address = `${location.origin}/verify/${receiptId}`;
  const again = () => {
    own.again();
    service.again();
  };
  return (
    <div className="verification">
      <VerdictHeader
        receiptId={receiptId}
        look={look}
        isBroken={error !== undefined}
        onPaper={<QrCode text={address} label={QR_LABEL} />}
      />
      {error !== undefined && <ProblemNote error={error} onRetry={again} />}
      {look && service.verification && <Disagreement look={look} service={service.verification} />}
      <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr]">
        <div className="flex flex-col gap-8 lg:col-start-2">
          <div className="no-print grid grid-cols-2 gap-3 sm:flex sm:flex-wrap lg:grid">
            <Button look="primary" className="col-span-2" busy={endedAt === undefined} onClick={again}>
              <RotateCw className="size-4" aria-hidden="true" />
              Check again
            </Button>
            <CopyButton text={address} what="link" look="quiet" />
            <Button onClick={() => print()}>
              <Printer className="size-4" aria-hidden="true" />
              Print
            </Button>
          </div>
          {look && <Facts look={look} explorerUrl={service.verification?.explorerUrl} />}
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          {look && <Checks look={look} service={service.verification} />}
          {look?.where && (
            <Section title="What this is worth">
              <Worth where={look.where} packageId={look.seen.packageId} />
            </Section>
          )}
        </div>
        <div className="flex flex-col gap-8 lg:col-start-2">
          <Aside title="The service’s own verdict">
            <ServiceWord {...service} />
          </Aside>
          <Aside title="This page">
            <div className="no-print">
              <QrCode text={address} label={QR_LABEL} />
            </div>
            <p className="mt-3 break-all font-mono text-soft text-xs">{address}</p>
            {endedAt !== undefined && (
              <p className="mt-2 text-soft text-xs">Checked in a browser at {timeOf(endedAt.getTime())}.</p>
            )}
          </Aside>
        </div>
      </div>
    </div>
  );
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

/** For what is no receipt id at all. */
function NotAnId() {
  return (
    <>
      <PageHeader title="Not a receipt id" lede="A receipt id is 0x and up to 64 hexadecimal digits." />
      <p className="measure">
        The address of this page ends in the id that anchoring gave, as <code className="font-mono">receiptId</code> and
        in <code className="font-mono">verifyPath</code>. Perhaps it was cut off when it was copied.
      </p>
    </>
  );
}
