import type { Io, Output } from './io.ts'

/** The same world, in which no output contains terminal escapes. */
export function safeIo(io: Io): Io {
  const { argv, stdin, env, keepMemory } = io
  return {
    ...{ argv, stdin, env, stdout: safeOutput(io.stdout), stderr: safeOutput(io.stderr) },
    // Read when it is needed: it may be gone.
    get cwd() {
      return io.cwd
    },
    onSignal: callback => io.onSignal(callback),
    onExit: callback => io.onExit(callback),
    ...(keepMemory !== undefined && { keepMemory: () => keepMemory() }),
  }
}

/** Names, messages and output may come from a program: of their escapes, only assay's own colours reach the terminal. */
function safeOutput(output: Output): Output {
  return {
    write: text => output.write(safeText(text, output)),
    draw: text => output.write(text),
    get isTTY() {
      return output.isTTY
    },
    get columns() {
      return output.columns
    },
    get colour() {
      return output.colour
    },
    get isOpen() {
      return output.isOpen
    },
  }
}

/**
 * Escapes that would move the cursor, hide a line or change the window's title become visible instead. The meaning of
 * JSON is unchanged.
 */
export function safeText(text: string, { colour }: Pick<Output, 'colour'>): string {
  if (!control.test(text)) return text
  const isJson = /^(?:\{["\n}]|\[[\n{"\]])/.test(text)
  return text.replace(orders, found => {
    if (colour && ownColours.test(found)) return found
    return isJson ? [...found].map(escaped).join('') : found.replace(controls, '\ufffd')
  })
}

/**
 * The same for the output of JSON.stringify, which leaves only these to escape. Most of it is ASCII, which is detected
 * many times faster: a plan of a million runs is 300 MB.
 */
export const safeJson = (text: string): string =>
  Buffer.byteLength(text) === text.length && !text.includes('\u007f') ? text : text.replace(leftByJson, escaped)

const escaped = (character: string): string =>
  control.test(character) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
/** Without line ends and tabs; a carriage return alone overwrites the line, and a direction mark reverses it. */
const control =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/
const controls = new RegExp(control.source, 'g')
const orders = new RegExp(`\\u001b\\[[0-9;]*m|${control.source}`, 'g')
const leftByJson = /[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Those of style.ts, on and off. */
const ownColours = /^\u001b\[(?:1|2|22|31|32|33|36|39)m$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
