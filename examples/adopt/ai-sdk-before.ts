// A program with the AI SDK. Its model is scripted: it repeats the memories that it was given.
import { generateText } from "ai";
import { scriptedModel } from "../scripted-model.ts";

const model = scriptedModel();
const { text } = await generateText({ model, prompt: "What should I avoid at dinner?" });
console.log(text);
