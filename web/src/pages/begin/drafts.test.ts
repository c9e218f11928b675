import { expect, test } from "vitest";
import { messagesIn } from "./drafts.ts";

test("a chat is read by its speakers, and a text without them is the user's", () => {
  expect(messagesIn("User: I live in Porto.\n\nAI: Noted: Porto.\nI run.\nNote: this is no speaker")).toEqual([
    { role: "user", content: "I live in Porto." },
    { role: "assistant", content: "Noted: Porto." },
    { role: "user", content: "I run." },
    { role: "user", content: "Note: this is no speaker" },
  ]);
});
