import { Share } from "#web/pages/overview/charts.tsx";
import { Section } from "#web/ui/page-header.tsx";
import { Definition } from "./definition.tsx";
import type { Report } from "./report-rows.ts";

export function AnswersOnLedger({ ledger }: { readonly ledger: Report["ledger"] }) {
  const { answers, onLedger, isComplete } = ledger;
  return (
    <Section title="Answers on the ledger" className="">
      <Share part={onLedger} whole={answers}>
        answers
      </Share>
      {!isComplete && <p className="mt-3 text-sm text-unknown">There are more anchors than one report counts.</p>}
      <Definition>
        Complete answers and recalls of this time, and those of them whose receipt is recorded on the ledger, whenever
        that was. A receipt that is only a blob does not count.
      </Definition>
    </Section>
  );
}
