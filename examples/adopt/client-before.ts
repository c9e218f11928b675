// A program with a model of its own. This one repeats what it is told.
const model = async (prompt: string) => `I was told: ${prompt}`;

const question = "What should I avoid at dinner?";
console.log(await model(question));
