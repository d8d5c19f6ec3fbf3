import { AssayError } from '../../util/errors.ts'
import { canonicalJson, isJsonObject, type Json } from '../../util/json.ts'
import { suggest } from '../../util/suggest.ts'
import { expressionError } from './expression-error.ts'
import { arithmeticOf, comparisonOf, functionOf, numberOrNull, OperandError } from './operators.ts'
import { parse } from './parse.ts'
import type { Arithmetic, Comparison, Node } from './syntax.ts'

/** A small, safe language for constraints, `when` and filters: it reads parameters and can do nothing else. */
export interface Expression {
  readonly text: string
  /** The known names that it reads. */
  readonly names: ReadonlySet<string>
  evaluate(scope: Scope): Json
  /** True, false, or null if it depends on the order or size of something absent; anything else is an error. */
  test(scope: Scope): boolean | null
}

/** An expression nested so deeply that parsing it exhausts the stack is refused. */
function notTooDeep<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new AssayError('config', 'an expression is nested too deeply to be read')
    throw error
  }
}

/** Parameters by name; missing ones are null. */
export type Scope = { readonly [name: string]: Json | undefined }

/**
 * Compiled to closures once, because a constraint is evaluated for each of a million variants.
 * `elsewhere`: what to say about names that exist, but not here.
 */
export function compileExpression(
  text: string,
  knownNames: ReadonlySet<string>,
  elsewhere: ReadonlyMap<string, string> = new Map(),
): Expression {
  const names = new Set<string>()
  const compiled = notTooDeep(() => compile(parse(text), { text, knownNames, elsewhere, names }))
  const evaluate = (scope: Scope) => notTooDeep(() => compiled(scope))
  return {
    text,
    names,
    evaluate,
    test(scope) {
      const value = evaluate(scope)
      if (typeof value === 'boolean' || value === null) return value
      throw expressionError(
        text,
        0,
        `expected true or false, got ${canonicalJson(value)}`,
        'Compare it with something, e.g. x > 0.',
      )
    },
  }
}

type Evaluate = (scope: Scope) => Json

interface Context {
  readonly text: string
  readonly knownNames: ReadonlySet<string>
  readonly elsewhere: ReadonlyMap<string, string>
  readonly names: Set<string>
}

function compile(node: Node, context: Context): Evaluate {
  switch (node.kind) {
    case 'literal':
      return () => node.value
    case 'name':
      return compileName(node.name, node.at, context)
    case 'list': {
      const items = node.items.map(item => compile(item, context))
      return node.items.every(item => item.kind === 'literal')
        ? constant(items.map(item => item({})))
        : scope => items.map(item => item(scope))
    }
    case 'unary': {
      if (node.operator === 'not') {
        const truth = compileTruth(node.operand, context)
        return scope => negated(truth(scope))
      }
      const operand = compile(node.operand, context)
      return located(node, context, scope => negative(numberOrNull(operand(scope))))
    }
    case 'binary':
      return compileBinary(node, context)
    case 'call': {
      const args = node.args.map(arg => compile(arg, context))
      if (args.length === 0)
        throw expressionError(context.text, node.at, `${node.function} needs something in its brackets`)
      const call = functionOf[node.function]
      return located(node, context, scope => call(args.map(arg => arg(scope))))
    }
  }
}

function compileBinary(node: Extract<Node, { kind: 'binary' }>, context: Context): Evaluate {
  const { operator } = node
  if (operator === 'and' || operator === 'or') {
    const truths = chainOf(node, operator).map(part => compileTruth(part, context))
    // Kleene's logic: unknown only if the answer depends on something unknown.
    const decisive = operator === 'or'
    return scope => {
      let isUnknown = false
      for (const truth of truths) {
        const value = truth(scope)
        if (value === decisive) return decisive
        if (value === null) isUnknown = true
      }
      return isUnknown ? null : !decisive
    }
  }
  const left = compile(node.left, context)
  const right = compile(node.right, context)
  if (isComparison(operator)) {
    const compare = comparisonOf[operator]
    return located(node, context, scope => compare(left(scope), right(scope)))
  }
  const compute = arithmeticOf[operator]
  return located(node, context, scope => {
    const [first, second] = [numberOrNull(left(scope)), numberOrNull(right(scope))]
    return first === null || second === null ? null : compute(first, second)
  })
}

/** `a or b or c` as a list: thousands of terms need no stack. */
function chainOf(node: Node, operator: 'and' | 'or'): readonly Node[] {
  const parts: Node[] = []
  let left = node
  while (left.kind === 'binary' && left.operator === operator) {
    parts.push(left.right)
    left = left.left
  }
  return [left, ...parts.reverse()]
}

function compileTruth(node: Node, context: Context): (scope: Scope) => boolean | null {
  const evaluate = compile(node, context)
  return scope => {
    const value = evaluate(scope)
    if (typeof value === 'boolean' || value === null) return value
    throw expressionError(context.text, node.at, `expected true or false, got ${canonicalJson(value)}`)
  }
}

/** `a.b` is the parameter of that name if there is one, otherwise field `b` of parameter `a`. */
function compileName(name: string, at: number, context: Context): Evaluate {
  const parts = name.split('.')
  for (let length = parts.length; length > 0; length--) {
    const known = parts.slice(0, length).join('.')
    if (!context.knownNames.has(known)) continue
    context.names.add(known)
    const path = parts.slice(length)
    if (path.length === 0) return scope => scope[known] ?? null
    return scope => path.reduce<Json>(fieldOf, scope[known] ?? null)
  }
  throw unknownName(name, at, context)
}

function unknownName(name: string, at: number, { text, knownNames, elsewhere }: Context): Error {
  const close = suggest(name, knownNames)
  const known = [...knownNames].join(', ')
  const names = known === '' ? 'There are no parameters.' : `Known names: ${known}.`
  const guess = close === null ? `${names} A text needs quotes: '${name}'.` : `Did you mean ${close}?`
  return expressionError(text, at, `there is no parameter ${name}`, elsewhere.get(name) ?? guess)
}

/** Adds the place in the expression to an operator's error. */
function located(node: Node, { text }: Context, evaluate: Evaluate): Evaluate {
  return scope => {
    try {
      return evaluate(scope)
    } catch (error) {
      if (error instanceof OperandError) throw expressionError(text, node.at, error.message)
      throw error
    }
  }
}

const fieldOf = (value: Json, field: string): Json =>
  isJsonObject(value) && Object.hasOwn(value, field) ? (value[field] ?? null) : null
const constant =
  (value: Json): Evaluate =>
  () =>
    value
const negative = (number: number | null): number | null => (number === null ? null : -number)
const negated = (truth: boolean | null): boolean | null => (truth === null ? null : !truth)
const isComparison = (operator: Comparison | Arithmetic): operator is Comparison => operator in comparisonOf
