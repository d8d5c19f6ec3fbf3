import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { Json } from '../../util/json.ts'
import { syntaxError } from '../problems.ts'
import type { Path, Source } from './source.ts'
import { yamlMistake } from './yaml-mistake.ts'

/** YAML 1.2; a key written twice is an error, unless `lastKeyCounts` says for this data that the last one counts. */
export function yamlSource(file: string, text: string, lastKeyCounts: (value: Json) => boolean = () => false): Source {
  const lines = new LineCounter()
  const options = { version: '1.2', merge: true, prettyErrors: false } as const
  const strict = parseDocument(text, { ...options, lineCounter: lines })
  const isTwice = ({ code }: { readonly code: string }) => code === 'DUPLICATE_KEY'
  const lenient = strict.errors.some(isTwice) ? parseDocument(text, { ...options, uniqueKeys: false }) : strict
  const takesLast = lenient !== strict && lenient.errors.length === 0 && lastKeyCounts(plainData(file, lenient))
  const document = takesLast ? lenient : strict
  const positionAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const mistake = yamlMistake([...document.errors, ...document.warnings], text)
  if (mistake !== null) throw syntaxError(file, mistake.message, positionAt(mistake.offset))
  const twice = takesLast ? strict.errors.filter(isTwice).flatMap(error => yamlMistake([error], text) ?? []) : []
  return {
    file,
    value: plainData(file, document),
    ...(twice.length > 0 && {
      notes: twice.map(({ message, offset }) => {
        const { line, column } = positionAt(offset)
        return `${file}:${line}:${column}  ${message}: the last one counts`
      }),
    }),
    positionOf(path, part = 'value') {
      const found = find(document, path)
      const node = part === 'key' && found.isExact ? (found.key ?? found.value) : found.value
      return node?.range ? positionAt(node.range[0]) : { line: 1, column: 1 }
    },
    spellingOf(path) {
      const { value, isExact } = find(document, path)
      const isSpelt = isExact && isScalar(value) && ['number', 'boolean'].includes(typeof value.value)
      return isSpelt ? (value.source ?? null) : null
    },
    isUnquoted(path) {
      const { value, isExact } = find(document, path)
      return isExact && isScalar(value) && value.type === 'PLAIN'
    },
    optionOf: () => null,
  }
}

function plainData(file: string, document: Document): Json {
  try {
    return document.toJS({ maxAliasCount: 1000 }) as Json
  } catch (error) {
    // The library refuses documents whose aliases expand without end.
    throw syntaxError(file, `malformed YAML: ${error instanceof Error ? error.message : error}`, null)
  }
}

interface Found {
  readonly key: Node | null
  readonly value: Node | null
  readonly isExact: boolean
}

/** The node at the path, or the last one on the way to it. */
function find(document: Document, path: Path): Found {
  let found: Found = { key: null, value: document.contents, isExact: true }
  for (const step of path) {
    const next = child(document, found.value, step)
    if (next === null) return { ...found, isExact: false }
    found = next
  }
  return { ...found, value: resolved(document, found.value) }
}

function child(document: Document, parent: Node | null, step: string | number): Found | null {
  const node = resolved(document, parent)
  if (isSeq<Node>(node)) {
    const item = node.items[Number(step)]
    return item === undefined ? null : { key: null, value: item, isExact: true }
  }
  if (!isMap<Node, Node | null>(node)) return null
  const pair = node.items.findLast(({ key }) => isScalar(key) && String(key.value) === String(step))
  return pair === undefined ? null : { key: pair.key, value: pair.value ?? pair.key, isExact: true }
}

const resolved = (document: Document, node: Node | null): Node | null =>
  isAlias(node) ? (node.resolve(document) ?? node) : node
