// Questions for the chat. The assistant may use 12 memories of the seed, which is the default limit of an answer.
const TOPICS = ["dinner", "the knee", "Lisbon", "the board", "coffee", "pollen", "running", "the passport", "Jonas"];
const QUESTIONS = ["What should I know about", "When is", "Is there anything planned for", "Tell me about", "Who said"];

export const CHAT_BODIES: readonly string[] = QUESTIONS.flatMap((question) =>
  TOPICS.map((topic) => JSON.stringify({ agentId: "assistant", query: `${question} ${topic}?` })),
);
