// A program that calls OpenAI's chat completions.
import OpenAI from "openai";

const client = new OpenAI({
  baseURL: process.env.OPENAI_BASE_URL,
  apiKey: process.env.OPENAI_API_KEY,
});
const { choices } = await client.chat.completions.create({
  model: process.env.MODEL ?? "",
  messages: [{ role: "user", content: "What should I avoid at dinner?" }],
});
console.log(choices[0]?.message.content);
