import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Json } from '../../util/json.ts'
import { syntaxError } from '../problems.ts'
import { type Path, positionAt, type Source } from './source.ts'

/** JSON; with `strict: false` also comments and trailing commas. A key written twice is an error. */
export function jsonSource(file: string, text: string, { strict }: { strict: boolean }): Source {
  const mistakes: ParseError[] = []
  const root = parseTree(text, mistakes, { disallowComments: strict, allowTrailingComma: !strict })
  const [mistake] = mistakes
  if (mistake !== undefined)
    throw syntaxError(
      file,
      `malformed JSON: ${inWords(mistake)}${ofJsonc(mistake, text)}`,
      positionAt(text, mistake.offset),
    )
  if (root === undefined) throw syntaxError(file, 'malformed JSON: value expected', { line: 1, column: 1 })
  return {
    file,
    value: plainData(file, text, root),
    positionOf(path, part = 'value') {
      const { node, key, isExact } = find(root, path)
      return positionAt(text, (part === 'key' && isExact ? (key ?? node) : node).offset)
    },
    spellingOf(path) {
      const { node, isExact } = find(root, path)
      return isExact && node.type === 'number' ? text.slice(node.offset, node.offset + node.length) : null
    },
    optionOf: () => null,
  }
}

/** Syntax that would be valid in a .jsonc file. */
function ofJsonc({ error, offset }: ParseError, text: string): string {
  const code = printParseErrorCode(error)
  const isTrailing = /,\s*$/.test(text.slice(0, offset)) && /[\]}]/.test(text[offset] ?? '')
  return code === 'InvalidCommentToken' || isTrailing
    ? '; comments and commas at the end are for files called .jsonc'
    : ''
}

/** `CommaExpected` → `comma expected`. */
const inWords = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

function plainData(file: string, text: string, node: Node): Json {
  const children = node.children ?? []
  if (node.type === 'array') return children.map(child => plainData(file, text, child))
  if (node.type !== 'object') return node.value as Json
  const entries = new Map<string, Json>()
  for (const { children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue
    const name = String(key.value)
    if (entries.has(name)) throw syntaxError(file, `the key "${name}" is written twice`, positionAt(text, key.offset))
    entries.set(name, plainData(file, text, value))
  }
  return Object.fromEntries(entries)
}

interface Found {
  readonly key: Node | null
  readonly node: Node
  readonly isExact: boolean
}

/** The node at the path, or the last one on the way to it. */
function find(root: Node, path: Path): Found {
  let found: Found = { key: null, node: root, isExact: true }
  for (const step of path) {
    const next = child(found.node, step)
    if (next === null) return { ...found, isExact: false }
    found = next
  }
  return found
}

function child(parent: Node, step: string | number): Found | null {
  if (parent.type === 'array') {
    const node = parent.children?.[Number(step)]
    return node === undefined ? null : { key: null, node, isExact: true }
  }
  for (const { children: [key, node] = [] } of parent.children ?? [])
    if (key !== undefined && node !== undefined && key.value === String(step)) return { key, node, isExact: true }
  return null
}
