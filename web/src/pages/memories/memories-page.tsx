// /memories: the memories that the caller may read, with filters, a form to capture one, and the import of a file.

import { useState } from "react";
import { classNames } from "#web/lib/strings.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { ExportButton } from "#web/memory/export-button.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Fold, PageHeader } from "#web/ui/page.tsx";
import { CaptureForm } from "./capture/capture-form.tsx";
import { FilterBar, MEMORY_FILTERS } from "./filter-bar.tsx";
import { ImportPanel } from "./import/import-panel.tsx";
import { MemoryList } from "./memory-list.tsx";

export default function MemoriesPage() {
  const filters = useFilters(MEMORY_FILTERS);
  const { may, captures } = usePermissions();
  // Open at first on a wide screen, where they stand beside the list; closed on a narrow one, where they stand above.
  const [isWide] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const mayCapture = may("capture") && captures?.length !== 0;
  return (
    <>
      <PageHeader title="Memories" actions={<ExportButton />} />
      <div className={classNames("grid gap-x-12 gap-y-8", mayCapture && "lg:grid-cols-[20rem_minmax(0,1fr)]")}>
        {mayCapture && (
          <div className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:-mx-1 lg:px-1 lg:pb-4">
            <Fold title="Capture a memory" open={isWide}>
              <CaptureForm />
            </Fold>
            <Fold title="Import a file" open={isWide}>
              <ImportPanel />
            </Fold>
          </div>
        )}
        <section aria-label="All memories" className="min-w-0">
          <FilterBar {...filters} />
          <MemoryList {...filters} />
        </section>
      </div>
    </>
  );
}
