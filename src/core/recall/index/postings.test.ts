import fc from "fast-check";
import { expect, test } from "vitest";
import { countOf, createCursors, createPostings, documentOf } from "./postings.ts";

test("a cursor gives the postings of each range of documents, also after ranges that were not read", () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3_000, size: "max" });
  const ranges = fc.array(fc.record({ length: fc.integer({ min: 1, max: 3_000 }), isRead: fc.boolean() }));
  fc.assert(
    fc.property(gaps, ranges, (gaps, ranges) => {
      const postings = createPostings();
      const documents: number[] = [];
      for (const gap of gaps) documents.push((documents.at(-1) ?? -1) + gap);
      for (const document of documents) {
        postings.add(0, document, 1 + (document % 5));
        if (document % 3 === 0) postings.add(1, document, 1);
      }
      const cursors = createCursors(2);
      postings.open(1, cursors, 0);
      postings.open(0, cursors, 1);
      // Postings that are added after the cursor was opened are not read.
      postings.add(0, (documents.at(-1) ?? -1) + 1, 1);
      let from = 0;
      for (const { length, isRead } of ranges) {
        const to = from + length;
        const block = new Uint32Array(length);
        if (isRead) {
          const read = [...block.subarray(0, postings.read(cursors, 1, from, to, block))];
          expect(read.map(documentOf)).toEqual(documents.filter((document) => document >= from && document < to));
          expect(read.every((posting) => countOf(posting) === 1 + (documentOf(posting) % 5))).toBe(true);
        }
        from = to;
      }
    }),
    { numRuns: 200 },
  );
});
