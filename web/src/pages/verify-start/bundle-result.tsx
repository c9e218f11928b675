// The result for a file of `portcullis proof`. It is verified in this browser, and nobody is asked.
import { useEffect, useState } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import { headlineOf, isOnlyConsistent, notShown, summaryOf } from "#core/verify/labels.ts";
import type { TrustedIds } from "#core/verify/observation.ts";
import type { VerificationResult } from "#core/verify/verify-receipt.ts";
import { type Bundle, verifyBundle } from "#verification/bundle.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { classNames } from "#web/lib/strings.ts";
import { CheckStatusIcon } from "#web/pages/verify/checks/check-row.tsx";
import { readSettings } from "#web/pages/verify/reader-settings.ts";
import { focusOnce, Section, Skeleton } from "#web/ui/page.tsx";
import { Checks } from "./held-result.tsx";

const LOOKS = {
  verified: ["pass", "border-edge bg-card"],
  failed: ["fail", "border-fail bg-fail-wash"],
  unknown: ["unknown", "border-unknown bg-unknown-wash"],
} as const;

export function BundleResult({ bundle, name }: { readonly bundle: Bundle; readonly name: string }) {
  const [result, setResult] = useState<VerificationResult>();
  useEffect(() => {
    let isCurrent = true;
    const trusted: TrustedIds | undefined = readSettings(BASE_PATH).trusted;
    void verifyBundle(bundle, { trusted }).then((done) => isCurrent && setResult(done));
    return () => {
      isCurrent = false;
    };
  }, [bundle]);
  if (result === undefined) return <Skeleton what="the result" className="h-56" />;
  const { verdict, checks, sealed } = result;
  const isLocal = bundle.network === "local";
  const [store, ledger] = isLocal ? (["mock", "local"] as const) : (["public", "bundle"] as const);
  const isWeak = isOnlyConsistent(verdict, ledger);
  const [status, look] = isWeak ? (["pass", "border-unknown bg-unknown-wash"] as const) : LOOKS[verdict];
  return (
    <>
      <section data-bundle={verdict} className={classNames("rounded-lg border-2 px-5 py-6 sm:px-8", look)}>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <CheckStatusIcon status={status} className={classNames("size-14", isWeak && "text-unknown!")} />
          <div className="min-w-0 flex-1 basis-72">
            <h2 ref={focusOnce} tabIndex={-1} className="font-medium font-serif text-xl">
              {headlineOf(verdict, checks, sealed, ledger)}
            </h2>
            <p className="measure mt-1">{summaryOf({ verdict, checks, ledger: "bundle" })}</p>
            <p className="mt-2 break-all text-sm text-soft">{visible(name)}</p>
          </div>
        </div>
        <div className="mt-5 border-current/15 border-t pt-5">
          <Checks checks={checks} />
        </div>
      </section>
      <Section title="What is not shown" className="mt-10">
        <ul className="measure list-disc pl-5 text-sm">
          {notShown({ ...result, ledger: "bundle", store }).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}
