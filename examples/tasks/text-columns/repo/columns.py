"""Text in columns, for terminals."""


def columns(words, width):
    """Lays out words in as many columns as fit, filled row by row.

    Columns are as wide as the longest word plus two spaces, and no line ends in spaces.
    """
    wide = max(len(word) for word in words)
    count = width // wide
    rows = [words[at : at + count] for at in range(0, len(words), count)]
    return "\n".join("  ".join(word.ljust(wide) for word in row) for row in rows)
