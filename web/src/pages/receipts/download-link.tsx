import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";

/** Downloads the receipt's canonical JSON: the bytes that an anchor stores and whose digest the ledger has. */
export function DownloadLink({ receipt }: { readonly receipt: ViewedReceipt }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([canonicalJson(receipt)], { type: "application/json" }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [receipt]);
  return (
    <a
      href={url}
      download={`${receipt.answerId}.json`}
      className="inline-flex min-h-11 items-center gap-2 rounded-md border border-edge bg-card px-4 text-ink text-sm no-underline hover:bg-well"
    >
      <Download className="size-4" aria-hidden="true" />
      Download as JSON
    </a>
  );
}
