// The script of verify.html: reads a file that the reader chooses or drops, and verifies it. It asks nobody.
import { visible } from "#core/encoding/visible-text.ts";
import { CHECK_TITLE, headlineOf, isOnlyConsistent, notShown, STATUS_WORD, summaryOf } from "#core/verify/labels.ts";
import { LARGEST_BUNDLE } from "#verification/bundle.ts";
import { type Judged, judge } from "./judge-file.ts";

export { judge };

const element = (name: string, text: string, kind = ""): HTMLElement => {
  const made = document.createElement(name);
  // Names and texts come from the file: they are text and never markup.
  made.textContent = visible(text);
  made.className = kind;
  return made;
};

function show(name: string, judged: Judged): void {
  const place = document.querySelector("output");
  if ("fault" in judged) {
    place?.replaceChildren(element("h2", `${name} is not a proof: ${judged.fault}.`));
    return;
  }
  const { checks, verdict, sealed } = judged.result;
  const rows = checks.map(({ name: check, index, status, code = "", sentence }) => {
    const row = element("li", "", status);
    const place = index === undefined ? "" : ` (${index + 1})`;
    row.append(element("strong", `${STATUS_WORD[status]}: ${CHECK_TITLE[check]}${place}`), element("p", sentence));
    if (code !== "") row.append(element("code", code));
    return row;
  });
  const { bundle, hasWitnesses } = judged;
  const isLocal = bundle.network === "local";
  const [store, keeper] = isLocal ? (["mock", "local"] as const) : (["public", "bundle"] as const);
  const ledger = bundle.receiptId === undefined ? "none" : "bundle";
  const limits = notShown({ ...judged.result, ledger, store, hasWitnesses }).map((line) => element("li", line));
  const lists = [document.createElement("ol"), document.createElement("ul")] as const;
  lists[0].append(...rows);
  lists[1].append(...limits);
  const head = element(
    "h2",
    headlineOf(verdict, checks, sealed, keeper),
    isOnlyConsistent(verdict, keeper) ? "unknown" : verdict,
  );
  const summary = element("p", `${name}: ${summaryOf({ verdict, checks, ledger })}`);
  place?.replaceChildren(head, summary, lists[0], element("h3", "It is not shown that"), lists[1]);
}

async function open(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const keyIds = entered("#keys")
    .split(/[\s,]+/)
    .filter(Boolean);
  const judged = file.size > LARGEST_BUNDLE ? { fault: "it is larger than any" } : judgeText(await file.text(), keyIds);
  show(file.name, await judged);
}

const judgeText = (text: string, keyIds: readonly string[]): Promise<Judged> =>
  judge(text, { keyIds, witnesses: entered("#witnesses") }).catch((error: Error) => ({
    fault: `your policy cannot be used. ${error.message.replace(/\.$/, "")}`,
  }));

const entered = (field: string): string =>
  document.querySelector<HTMLInputElement | HTMLTextAreaElement>(field)?.value ?? "";

if (typeof document !== "undefined") {
  const chooser = document.querySelector<HTMLInputElement>("#file");
  let chosen: File | undefined;
  const again = () => void open(chosen);
  const choose = (file: File | undefined) => {
    chosen = file;
    again();
  };
  chooser?.addEventListener("change", () => choose(chooser.files?.[0]));
  for (const field of ["#keys", "#witnesses"]) document.querySelector(field)?.addEventListener("change", again);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    choose(event.dataTransfer?.files[0]);
  });
}
