/** Every character that a reader may take for the end of a line. */
export const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** On one line. */
export const onOneLine = (text: string): string =>
  text
    .split(lineEnd)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join(' ')

/**
 * Texts of models are quoted in prompts line by line with `> `: whatever they contain, none of their lines can pass for
 * a heading, for another actor or for the narrator.
 */
export const quoted = (text: string): string =>
  text
    .trim()
    .split(lineEnd)
    .map(line => `> ${line}`.trimEnd())
    .join('\n')

/** Paragraphs with a blank line between them; empty ones are left out. */
export const paragraphs = (...parts: readonly (string | null)[]): string =>
  parts.filter(part => part !== null && part.trim() !== '').join('\n\n')

export const bullets = (lines: readonly string[]): string => lines.map(line => `- ${onOneLine(line)}`).join('\n')

/** A heading and its text; null: there is none. */
export const section = (heading: string, text: string): string | null =>
  text.trim() === '' ? null : `## ${heading}\n${text.trim()}`
