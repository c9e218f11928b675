// A program with the AI SDK. Its model is scripted: it repeats the memories that it was given.
import { generateText } from "ai";
import { withPortcullis } from "portcullis/ai-sdk";
import { scriptedModel } from "../scripted-model.ts";

const service = { url: process.env.PORTCULLIS_URL ?? "", key: process.env.PORTCULLIS_KEY };
const model = withPortcullis(scriptedModel(), service);
const { text } = await generateText({ model, prompt: "What should I avoid at dinner?" });
console.log(text);
