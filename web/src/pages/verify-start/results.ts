// What the page needs once somebody has entered or dropped something.
export { writeFragment } from "#web/receipt/opening-link.ts";
export { BundleResult } from "./bundle-result.tsx";
export { FoundResult } from "./found-result.tsx";
export { readFile, readText } from "./held-file.ts";
export { HeldResult } from "./held-result.tsx";
