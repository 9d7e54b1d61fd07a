"""The rulebook in plain Python, to be read beside the rules; it judges the kernel, tells deals in words and enumerates tiny decks."""
