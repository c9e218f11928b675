/** Marks a memory that the answer cites. It is the model's word: nobody has checked it. */
export const CitedMark = () => (
  <span
    title="The model says that the answer rests on this memory."
    className="rounded-full border border-line bg-well px-2 py-px font-medium"
  >
    cited
  </span>
);
