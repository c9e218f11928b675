// Takes an answer in pieces and passes them on. Nothing is passed on before there is something to read, no character
// is passed on in halves, and what is too long is cut. Cutting is not failing: what was streamed has been read, and
// belongs under a receipt like any answer; `…` says that there was more.

const MORE = "…";
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

export interface Output {
  add(piece: string): void;
  /** Whatever comes now is not wanted. */
  readonly isFull: boolean;
  /** All that was passed on. `isCut`: there would have been more. */
  end(isCut: boolean): string;
}

export function createOutput(limit: number, passOn: (piece: string) => void): Output {
  let text = "";
  let held = "";
  let isFull = false;

  function pass(piece: string): void {
    // Half a character at the wrong place has no UTF-8, and no digest.
    const sound = piece.toWellFormed();
    if (sound === "") return;
    text += sound;
    passOn(sound);
  }

  return {
    get isFull() {
      return isFull;
    },
    add(piece) {
      if (isFull) return;
      held += piece;
      if (text.length + held.length > limit) {
        isFull = true;
        held = held.slice(0, limit - text.length).replace(HIGH_SURROGATE_AT_END, "");
        return;
      }
      if (text === "" && held.trim() === "") return;
      const half = HIGH_SURROGATE_AT_END.exec(held)?.[0] ?? "";
      pass(held.slice(0, held.length - half.length));
      held = half;
    },
    end(isCut) {
      if (text === "" && held.trim() === "") return "";
      pass(isCut || isFull ? `${held}${MORE}` : held);
      return text;
    },
  };
}
