"""A program with a model of its own. This one repeats what it is told."""


def model(prompt: str) -> str:
    return f"I was told: {prompt}"


question = "What should I avoid at dinner?"
print(model(question))
