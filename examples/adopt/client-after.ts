// A program with a model of its own. This one repeats what it is told.
import { createClient } from "portcullis/client";

const model = async (prompt: string) => `I was told: ${prompt}`;
const client = createClient({ baseUrl: process.env.PORTCULLIS_URL, bearer: process.env.PORTCULLIS_KEY });

const question = "What should I avoid at dinner?";
const { memories } = await client.recall({ query: question });
console.log(await model(`${JSON.stringify(memories.map(({ content }) => content))} ${question}`));
