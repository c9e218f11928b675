// The result for a file of `portcullis proof`. It is verified in this browser, and nobody is asked.
import { useEffect, useMemo, useState } from "react";
import { parseWitnessPolicy, type WitnessPolicy } from "#core/log/witness-policy.ts";
import { headlineOf, isOnlyConsistent, notShown, summaryOf } from "#core/verify/labels.ts";
import type { VerificationResult } from "#core/verify/verify-receipt.ts";
import { type Bundle, verifyBundle } from "#verification/bundle.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { classNames } from "#web/lib/strings.ts";
import { CheckStatusIcon } from "#web/pages/verify/checks/check-row.tsx";
import { readSettings, writeSettings } from "#web/pages/verify/reader-settings.ts";
import { TextArea } from "#web/ui/form.tsx";
import { Disclosure, Section, Skeleton } from "#web/ui/page.tsx";
import { Checks, VerdictBox } from "./held-result.tsx";

const LOOKS = {
  verified: ["pass", "border-edge bg-card"],
  failed: ["fail", "border-fail bg-fail-wash"],
  unknown: ["unknown", "border-unknown bg-unknown-wash"],
} as const;

export function BundleResult({ bundle, name }: { readonly bundle: Bundle; readonly name: string }) {
  const [result, setResult] = useState<VerificationResult>();
  const [witnesses, setWitnesses] = useState(() => readSettings(BASE_PATH).witnesses ?? "");
  const { policy, fault } = useMemo(() => policyIn(witnesses), [witnesses]);
  useEffect(() => {
    let isCurrent = true;
    const { trusted } = readSettings(BASE_PATH);
    void verifyBundle(bundle, { trusted, policy }).then((done) => isCurrent && setResult(done));
    return () => {
      isCurrent = false;
    };
  }, [bundle, policy]);
  const choose = (text: string) => {
    setWitnesses(text);
    writeSettings(BASE_PATH, { ...readSettings(BASE_PATH), witnesses: text });
  };
  if (result === undefined) return <Skeleton what="the result" className="h-56" />;
  const { verdict, checks, sealed } = result;
  const isLocal = bundle.network === "local";
  const [store, keeper] = isLocal ? (["mock", "local"] as const) : (["public", "bundle"] as const);
  const ledger = bundle.receiptId === undefined ? "none" : "bundle";
  const isWeak = isOnlyConsistent(verdict, keeper);
  const [status, look] = isWeak ? (["pass", "border-unknown bg-unknown-wash"] as const) : LOOKS[verdict];
  return (
    <>
      <VerdictBox
        data-bundle={verdict}
        look={look}
        icon={<CheckStatusIcon status={status} className={classNames("size-14", isWeak && "text-unknown!")} />}
        title={headlineOf(verdict, checks, sealed, keeper)}
        lede={summaryOf({ verdict, checks, ledger })}
        name={name}
      >
        <div className="mt-5 border-current/15 border-t pt-5">
          <Checks checks={checks} />
        </div>
      </VerdictBox>
      <Disclosure summary="Logs and witnesses that you trust">
        <TextArea
          label="Policy"
          hint="C2SP tlog-policy, from a source that is not the file. It stays in this browser."
          error={fault}
          rows={6}
          value={witnesses}
          onChange={choose}
        />
      </Disclosure>
      <Section title="What is not shown" className="mt-10">
        <ul className="measure list-disc pl-5 text-sm">
          {notShown({ ...result, ledger, store, hasWitnesses: policy !== undefined }).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function policyIn(text: string): { readonly policy?: WitnessPolicy; readonly fault?: string } {
  try {
    return text.trim() === "" ? {} : { policy: parseWitnessPolicy(text) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
