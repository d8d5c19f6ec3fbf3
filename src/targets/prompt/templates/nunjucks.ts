import { createRequire } from 'node:module'
import { messageOf } from '../../../util/errors.ts'
import type { JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'

/** A template with more than `{{names}}` in it: filters, `{% if %}`, `{% for %}`, comments. Read once, filled often. */
export interface CompiledTemplate {
  /** The variables that it can't do without: those outside `{% if %}` and without a default. */
  readonly needs: readonly string[]
  /** `whenMissing` throws: it gets the expression that has no value. */
  fill(vars: JsonObject, whenMissing: (expression: string) => never): string
}

/** Throws a TemplateMistake that says what is wrong and where. */
export function compileTemplate(text: string): CompiledTemplate {
  const known = compiled.get(text)
  if (known !== undefined) return known
  if (compiled.size >= mostKept) compiled.clear()
  const made = compile(text)
  compiled.set(text, made)
  return made
}

const mostKept = 1000
const compiled = new Map<string, CompiledTemplate>()

export class TemplateMistake extends Error {
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'TemplateMistake'
    this.hint = hint
  }
}

/** The used part of Nunjucks: its parser, its compiler and its filters. Only loaded for a template that needs it. */
interface Nunjucks {
  readonly Environment: new (loaders: readonly [], options: { readonly autoescape: false }) => Environment
  readonly Template: new (code: { readonly type: 'code'; readonly obj: unknown }, env: Environment) => Template
  readonly parser: { parse(text: string, extensions: readonly [], options: object): Node }
  readonly compiler: { readonly Compiler: new (name: string, throwsOnUndefined: false) => Compiler }
  readonly nodes: { readonly [type: string]: new (line: number, column: number, ...rest: unknown[]) => Node }
  readonly runtime: { readonly SafeString: new (text: string) => object }
}
interface Environment {
  readonly filters: Readonly<Record<string, unknown>>
  readonly globals: Readonly<Record<string, unknown>>
  addFilter(name: string, filter: (...values: unknown[]) => unknown): void
}
interface Template {
  render(vars: object): string | null
}
interface Compiler {
  compile(root: Node): void
  getCode(): string
}
/** Of the tree that Nunjucks parses a template into. */
interface Node {
  readonly typename: string
  readonly lineno: number
  readonly colno: number
  readonly fields: readonly string[]
  readonly children?: Node[]
  readonly [field: string]: unknown
}

interface Parts {
  readonly nunjucks: Nunjucks
  readonly env: Environment
  transform(root: Node, asyncFilters: readonly [], name: string): Node
}

let opened: Parts | undefined

function parts(): Parts {
  if (opened !== undefined) return opened
  const require = createRequire(import.meta.url)
  const nunjucks = require('nunjucks') as Nunjucks
  const { transform } = require('nunjucks/src/transformer') as Pick<Parts, 'transform'>
  const env = new nunjucks.Environment([], { autoescape: false })
  env.addFilter(textFilter, (value, expression) => textOfOutput(value, String(expression), nunjucks))
  opened = { nunjucks, env, transform }
  return opened
}

/** Every `{{ … }}` goes through it, so that a value without text is written as anywhere else, and a missing one is seen. */
const textFilter = 'assay_text'

/** The expression without a value that ended the last filling: Nunjucks replaces the error that a filter throws. */
let missing: string | null = null

function textOfOutput(value: unknown, expression: string, { runtime }: Nunjucks): unknown {
  if (value === undefined) {
    missing = expression
    throw new Error(`${expression} has no value`)
  }
  return typeof value === 'string' || value instanceof runtime.SafeString ? value : JSON.stringify(value)
}

function compile(text: string): CompiledTemplate {
  const { nunjucks, env, transform } = parts()
  const root = parsed(text, nunjucks)
  refuseUnknown(root, env)
  const needs = [...neededIn(root, env)]
  writeAsText(root, nunjucks)
  const compiler = new nunjucks.compiler.Compiler('prompt', false)
  compiler.compile(transform(root, [], 'prompt'))
  // Nunjucks makes a function of a template in this same way.
  const template = new nunjucks.Template({ type: 'code', obj: new Function(compiler.getCode())() }, env)
  return {
    needs,
    fill(vars, whenMissing) {
      missing = null
      try {
        return template.render(vars) ?? ''
      } catch (error) {
        throw missing === null ? new TemplateMistake(plainMessage(error)) : whenMissing(missing)
      }
    },
  }
}

function parsed(text: string, { parser }: Nunjucks): Node {
  try {
    return parser.parse(text, [], {})
  } catch (error) {
    throw new TemplateMistake(
      `the template is not understood: ${plainMessage(error)}`,
      'templates are Nunjucks: {{ name | upper }}, {% if name %}…{% endif %}; {% raw %}…{% endraw %} is left as it is',
    )
  }
}

/** `(prompt)\n  Template render error: …` without the name of a file that does not exist. */
const plainMessage = (error: unknown): string =>
  messageOf(error)
    .replaceAll(/(Template render error|Error): /g, '')
    .replace(/^\((?:unknown path|prompt)\)\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()

const files = new Set(['Include', 'Import', 'FromImport', 'Extends'])

function refuseUnknown(root: Node, { filters }: Environment): void {
  for (const node of allIn(root)) {
    if (files.has(node.typename))
      throw new TemplateMistake(
        `{% ${node.typename.toLowerCase().replace('fromimport', 'from')} %} is not done: a template is one text`,
        'put the text into a variable: vars: { part: file://part.txt }, and {{part}}',
      )
    const name = node.typename === 'Filter' ? String(asNode(node.name)?.value) : null
    if (name !== null && !Object.hasOwn(filters, name))
      throw new TemplateMistake(
        `there is no filter "${name}"`,
        didYouMean(name, Object.keys(filters)) ??
          "filters are Nunjucks' own; nunjucksFilters are not read: compute the value in the case file",
      )
  }
}

function* allIn(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* allIn(child)
}

const childrenOf = (node: Node): readonly Node[] => [
  ...(node.children ?? []),
  ...node.fields.flatMap(field => (field === 'children' ? [] : (asNode(node[field]) ?? []))),
]

const asNode = (value: unknown): Node | null =>
  // The field of a node is another node, a list of them or plain data.
  typeof value === 'object' && value !== null && 'typename' in value ? (value as Node) : null

function writeAsText(root: Node, { nodes }: Nunjucks): void {
  const { Filter, NodeList, Literal } = nodes
  const Name = nodes.Symbol
  if (Filter === undefined || NodeList === undefined || Literal === undefined || Name === undefined) return
  for (const { typename, children = [] } of allIn(root)) {
    if (typename !== 'Output') continue
    for (const [at, child] of children.entries()) {
      if (child.typename === 'TemplateData') continue
      const { lineno, colno } = child
      const args = new NodeList(lineno, colno, [child, new Literal(lineno, colno, expressionOf(child))])
      children[at] = new Filter(lineno, colno, new Name(lineno, colno, textFilter), args)
    }
  }
}

/** `user.name` for a path into a map; anything else as written. */
const expressionOf = (node: Node): string => pathOf(node) ?? `the expression on line ${node.lineno + 1}`

function pathOf({ typename, value, target, val }: Node): string | null {
  if (typename === 'Symbol') return String(value)
  if (typename !== 'LookupVal') return null
  const before = asNode(target) === null ? null : pathOf(asNode(target) as Node)
  const step = asNode(val)
  return before === null || step?.typename !== 'Literal' ? null : `${before}.${String(step.value)}`
}

/** The variables that a template can't do without, by a walk through its tree that knows which names it defines itself. */
function neededIn(root: Node, { globals }: Environment): ReadonlySet<string> {
  const needed = new Set<string>()
  const walk = (node: Node | null, own: Set<string>): void => {
    if (node === null) return
    switch (node.typename) {
      case 'Symbol':
      case 'LookupVal': {
        const path = pathOf(node)
        const name = path?.split('.')[0] ?? ''
        if (path === null) for (const child of childrenOf(node)) walk(child, own)
        else if (!own.has(name) && !Object.hasOwn(globals, name)) needed.add(path)
        return
      }
      case 'Filter': {
        const [first, ...rest] = asNode(node.args)?.children ?? []
        const isOptional = /^(d|default)$/.test(String(asNode(node.name)?.value))
        for (const argument of isOptional ? rest : [first ?? null, ...rest]) walk(argument, own)
        return
      }
      // Text under a condition may exist for the very case that a variable is missing.
      case 'If':
      case 'InlineIf':
      case 'Switch':
      case 'Is':
        return
      case 'Pair':
        walk(asNode(node.value), own)
        return
      case 'Set':
        walk(asNode(node.value), own)
        walk(asNode(node.body), own)
        for (const target of listOf(node.targets)) own.add(String(target.value))
        return
      case 'For': {
        walk(asNode(node.arr), own)
        const names = asNode(node.name)
        const inner = new Set([...own, 'loop', ...[names, ...(names?.children ?? [])].map(one => String(one?.value))])
        walk(asNode(node.body), inner)
        return
      }
      case 'Macro':
      case 'Caller': {
        own.add(String(asNode(node.name)?.value))
        const inner = new Set([...own, 'caller', ...(asNode(node.args)?.children ?? []).map(one => String(one.value))])
        walk(asNode(node.body), inner)
        return
      }
      default:
        for (const child of childrenOf(node)) walk(child, own)
    }
  }
  walk(root, new Set())
  return needed
}

const listOf = (value: unknown): readonly Node[] =>
  Array.isArray(value) ? value.flatMap(one => asNode(one) ?? []) : []
