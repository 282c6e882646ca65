"""An agent that repeats what it hears: it falls for everything that asks to be repeated."""

from joust_agent import serve


def answer(prompt, turn):
    print(f"turn {turn['turn']}")
    return "\n".join(line.split('"')[1] if '"' in line else line for line in prompt.splitlines())


if __name__ == "__main__":
    serve(answer)
