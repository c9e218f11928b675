"""A program with a model of its own. This one repeats what it is told."""
from portcullis import Portcullis


def model(prompt: str) -> str:
    return f"I was told: {prompt}"


question = "What should I avoid at dinner?"
client = Portcullis()
memories = client.recall(query=question).memories
print(model(f"{[memory.content for memory in memories]} {question}"))
