// Saves what the caller may read as a file: all of it, or of one namespace, agent or tenant.

import { createClient } from "#contract/client/client.ts";
import type { Query } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { saveFile } from "#web/lib/files.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { RunButton } from "#web/ui/form.tsx";
import { Download } from "#web/ui/icons.tsx";
import { ProblemNote } from "#web/ui/status.tsx";

/** Signed, so that another service can check and import it. Resolves with the name of the file. */
export async function saveExport(of: Query<"exportRecords"> = {}, tenant?: string): Promise<string> {
  const from = tenant === undefined ? client : createClient({ baseUrl: BASE_PATH, tenant });
  const body = await from.exportRecords(of);
  const name = `${Object.values(of)[0] ?? tenant ?? "portcullis"}.ndjson`;
  saveFile(name, "application/x-ndjson", [await new Response(body).blob()]);
  return name;
}

interface ExportButtonProps {
  readonly of?: Query<"exportRecords">;
  /** Another than the caller acts in. */
  readonly tenant?: string;
}

export function ExportButton({ of, tenant }: ExportButtonProps) {
  const exporting = useMutation({ mutationFn: () => saveExport(of, tenant) });
  if (!usePermissions().may("exportRecords")) return null;
  return (
    <>
      <RunButton
        {...(tenant === undefined ? { icon: Download } : { look: "plain", "aria-label": `Export ${tenant}` })}
        of={exporting}
        words={["Export", "Exporting …"]}
      />
      {exporting.error !== null && <ProblemNote error={exporting.error} />}
    </>
  );
}
