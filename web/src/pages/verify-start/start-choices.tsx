// Pins and a full node of the reader's, before any receipt is opened. Both stay in this browser.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Pins } from "#core/verify/observation.ts";
import { client } from "#web/api/client.ts";
import { BASE_PATH } from "#web/lib/base-path.ts";
import { ReaderChoices } from "#web/pages/verify/reader-choices.tsx";
import { type ReaderSettings, readSettings, writeSettings } from "#web/pages/verify/reader-settings.ts";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";

export function StartChoices({ hasNodes }: { readonly hasNodes: boolean }) {
  const [settings, setSettings] = useState(() => readSettings(BASE_PATH));
  const choose = (chosen: ReaderSettings) => {
    writeSettings(BASE_PATH, chosen);
    setSettings(chosen);
  };
  const pinning = useMutation({
    mutationFn: () => client.getOperatorsWord(),
    onSuccess: ({ packageId, gateId, keys }) => {
      const pins: Pins = { packageId, gateId, keyIds: keys.map(({ keyId }) => keyId) };
      choose({ ...settings, pins });
    },
  });
  return (
    <section>
      <h2 className="mb-3 font-medium font-serif text-lg">{hasNodes ? "Pins and full nodes" : "Pins"}</h2>
      <ReaderChoices current={undefined} hasNodes={hasNodes} settings={settings} onChange={choose} />
      <p className="mt-3">
        <Button busy={pinning.isPending} onClick={() => pinning.mutate()}>
          {settings.pins === undefined ? "Pin what this service names" : "Pin what it names now"}
        </Button>
      </p>
      {pinning.error !== null && <ProblemNote error={pinning.error} onRetry={() => pinning.mutate()} />}
    </section>
  );
}
