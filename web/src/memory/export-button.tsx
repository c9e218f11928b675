// Saves what the caller may read as a file: all of it, or of one namespace or agent.
import { useMutation } from "@tanstack/react-query";
import type { Query } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { saveFile } from "#web/lib/files.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "#web/ui/form.tsx";
import { Download } from "#web/ui/icons.tsx";
import { ProblemNote } from "#web/ui/status.tsx";

/** Signed, so that another service can check and import it. */
export function ExportButton({ of = {} }: { readonly of?: Query<"exportRecords"> }) {
  const exporting = useMutation({
    async mutationFn() {
      const body = await client.exportRecords(of);
      const name = Object.values(of)[0] ?? "portcullis";
      saveFile(`${name}.ndjson`, "application/x-ndjson", [await new Response(body).blob()]);
    },
  });
  if (!usePermissions().may("exportRecords")) return null;
  return (
    <>
      <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download className="size-4" />
        {exporting.isPending ? "Exporting …" : "Export"}
      </Button>
      {exporting.error !== null && <ProblemNote error={exporting.error} />}
    </>
  );
}
