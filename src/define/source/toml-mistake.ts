import type { TomlError } from 'smol-toml'

/** The problem in users' words: the library reports a key's name, or the missing quote, only as a place. */
export function tomlMistake(error: TomlError, text: string): string {
  const message = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '') ?? ''
  const rest = text.split('\n')[error.line - 1]?.slice(error.column - 1) ?? ''
  if (message.startsWith('trying to redefine')) return writtenTwice(keyIn(rest))
  const isEndOfLine = rest.trim() === ''
  if (message === 'unfinished string' || (message.startsWith('control characters') && isEndOfLine))
    return 'malformed TOML: this text has no closing quote'
  if (message === 'invalid value' && /^[A-Za-z]/.test(rest)) return 'malformed TOML: text needs quotes'
  return `malformed TOML: ${message}`
}

const keyIn = (rest: string): string => (/^(?:"[^"]*"|'[^']*'|[\w.-])+/.exec(rest)?.[0] ?? '').replaceAll(/["']/g, '')

const writtenTwice = (key: string): string =>
  key.includes('.')
    ? `the key "${key}" is written twice, or is part of one that has a value already`
    : `the key "${key}" is written twice`
