import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Enough for any sensible line, and nothing next to a gigabyte of output. */
const tailBytes = 4096

/** The last line of a text file that has something in it, made safe to print; '' if there is none. */
export function lastLine(file: string): string {
  const lines = tail(file).split(/\r?\n/)
  const last = lines.findLast(line => line.trim() !== '') ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach the terminal
  return last.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

function tail(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return ''
  }
  try {
    const size = fstatSync(descriptor).size
    const buffer = Buffer.alloc(Math.min(tailBytes, size))
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}
