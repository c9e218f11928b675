// Limits the text of an answer and passes it on in pieces. Nothing is passed on before the first visible character, a
// character is never split between pieces, and text over the limit is cut. A cut answer is not a failure: what was
// streamed has been read and belongs under a receipt, and `…` shows that there was more.

const ELLIPSIS = "…";
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

export function limitOutput(limit: number, onText: (piece: string) => void = () => undefined) {
  let text = "";
  let pending = "";
  let isFull = false;

  function passOn(piece: string): void {
    // A surrogate without its other half has no UTF-8, and so no digest.
    const wellFormed = piece.toWellFormed();
    if (wellFormed === "") return;
    text += wellFormed;
    onText(wellFormed);
  }

  return {
    /** The limit is reached. Further pieces are ignored. */
    get isFull(): boolean {
      return isFull;
    },
    add(piece: string): void {
      if (isFull) return;
      pending += piece;
      if (text.length + pending.length > limit) {
        isFull = true;
        pending = pending.slice(0, limit - text.length).replace(HIGH_SURROGATE_AT_END, "");
        return;
      }
      if (text === "" && pending.trim() === "") return;
      const half = HIGH_SURROGATE_AT_END.exec(pending)?.[0] ?? "";
      passOn(pending.slice(0, pending.length - half.length));
      pending = half;
    },
    /** Passes on what is left and returns the whole text. `isCut`: the model stopped before it was finished. */
    end(isCut: boolean): string {
      if (text === "" && pending.trim() === "") return "";
      passOn(isCut || isFull ? `${pending}${ELLIPSIS}` : pending);
      return text;
    },
  };
}
