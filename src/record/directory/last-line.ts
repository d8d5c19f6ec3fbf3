import { readEndOf } from '../../util/files.ts'

/** Enough for any sensible line, and nothing next to a gigabyte of output. */
const tailBytes = 4096

/** The last line of a text file that says something, made safe to print; '' if there is none. */
export function lastLine(file: string): string {
  const end = readEndOf(file, tailBytes)?.end.toString('utf8') ?? ''
  const lines = end.split(/\r?\n/).filter(line => line.trim() !== '')
  const last = lines.findLast(line => !isTrace(line)) ?? lines.at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach the terminal
  return last.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

/** JavaScript puts the message before its stack, and Node its version after it. */
const isTrace = (line: string): boolean => /^\s+at .*(:\d+:\d+\)?|<anonymous>\)?|\(native\))$|^Node\.js v\d/.test(line)
