/** More than these are no help in a sentence. */
const SHOWN = 20;

/** Names for a sentence: `a, b`, or of many the first ones, `and 8,995 more`. `total`: how many there are in all. */
export function namesInWords(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, SHOWN);
  const more = total - shown.length;
  const listed = shown.join(", ") || "none";
  return more > 0 ? `${listed} and ${more.toLocaleString("en")} more` : listed;
}
