import { expressionError } from './expression-error.ts'
import { type Comparison, comparisons, type FunctionName, functionNames, type Node, type Operator } from './syntax.ts'
import { symbolOf, type Token, tokenize } from './tokenize.ts'

/** The tree of an expression, by recursive descent: one function per level of precedence, loosest first. */
export function parse(text: string): Node {
  const reader = new Reader(text)
  const node = disjunction(reader)
  if (reader.current.kind !== 'end') throw reader.error('an operator such as == or and, or the end')
  return node
}

const disjunction = (reader: Reader): Node => chain(reader, ['or'], conjunction)
const conjunction = (reader: Reader): Node => chain(reader, ['and'], negation)

function negation(reader: Reader): Node {
  const { at } = reader.current
  if (!reader.takes('not')) return comparison(reader)
  return { kind: 'unary', operator: 'not', operand: negation(reader), at }
}

function comparison(reader: Reader): Node {
  const left = sum(reader)
  const { at } = reader.current
  const operator = comparisonOperator(reader)
  if (operator === null) return left
  if (operator === 'is' || operator === 'is not') {
    if (!reader.takes('null')) throw reader.error('null after is')
    return {
      kind: 'binary',
      operator: operator === 'is' ? '==' : '!=',
      left,
      right: { kind: 'literal', value: null, at },
      at,
    }
  }
  const right = sum(reader)
  const next = reader.current
  if (comparisonOperator(reader) !== null)
    throw expressionError(reader.text, next.at, 'comparisons cannot be chained', 'Write a < b and b < c.')
  return { kind: 'binary', operator, left, right, at }
}

function comparisonOperator(reader: Reader): Comparison | 'is' | 'is not' | null {
  if (reader.takes('is')) return reader.takes('not') ? 'is not' : 'is'
  if (reader.takes('not')) {
    if (!reader.takes('in')) throw reader.error('in after not')
    return 'not in'
  }
  return comparisons.find(operator => reader.takes(operator)) ?? null
}

const sum = (reader: Reader): Node => chain(reader, ['+', '-'], product)
const product = (reader: Reader): Node => chain(reader, ['*', '/', '%'], sign)

function sign(reader: Reader): Node {
  const { at } = reader.current
  if (!reader.takes('-')) return power(reader)
  return { kind: 'unary', operator: '-', operand: sign(reader), at }
}

/** Binds to the right, as in 2 ** 3 ** 2, and tighter than a preceding sign. */
function power(reader: Reader): Node {
  const left = operand(reader)
  const { at } = reader.current
  return reader.takes('**') ? { kind: 'binary', operator: '**', left, right: sign(reader), at } : left
}

function operand(reader: Reader): Node {
  const token = reader.current
  const { at } = token
  if (token.kind === 'number' || token.kind === 'string') {
    reader.advance()
    return { kind: 'literal', value: token.value, at }
  }
  if (token.kind === 'name') return nameOrCall(reader, token.value)
  if (reader.takes('true')) return { kind: 'literal', value: true, at }
  if (reader.takes('false')) return { kind: 'literal', value: false, at }
  if (reader.takes('null')) return { kind: 'literal', value: null, at }
  if (reader.takes('[')) return { kind: 'list', items: itemsUntil(reader, ']'), at }
  if (!reader.takes('(')) throw reader.error('a value, a name or (')
  const inside = disjunction(reader)
  if (!reader.takes(')')) throw reader.error(')')
  return inside
}

function nameOrCall(reader: Reader, name: string): Node {
  const { at } = reader.current
  reader.advance()
  if (!reader.takes('(')) return { kind: 'name', name, at }
  if (!isFunctionName(name))
    throw expressionError(reader.text, at, `there is no function ${name}`, `There are ${functionNames.join(', ')}.`)
  return { kind: 'call', function: name, args: itemsUntil(reader, ')'), at }
}

function itemsUntil(reader: Reader, close: string): readonly Node[] {
  const items: Node[] = []
  while (!reader.takes(close)) {
    items.push(disjunction(reader))
    if (reader.takes(close)) break
    if (!reader.takes(',')) throw reader.error(`, or ${close}`)
  }
  return items
}

/** Operators of the same precedence, binding to the left. */
function chain(reader: Reader, operators: readonly Operator[], tighter: (reader: Reader) => Node): Node {
  let left = tighter(reader)
  for (;;) {
    const { at } = reader.current
    const operator = operators.find(candidate => reader.takes(candidate))
    if (operator === undefined) return left
    left = { kind: 'binary', operator, left, right: tighter(reader), at }
  }
}

const isFunctionName = (name: string): name is FunctionName => functionNames.some(known => known === name)

/** The parser's position in the tokens. */
class Reader {
  readonly text: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(text: string) {
    this.text = text
    this.#tokens = tokenize(text)
  }

  get current(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', at: this.text.length, text: '' }
  }

  advance(): void {
    this.#next += 1
  }

  /** Moves on if the symbol is here. */
  takes(symbol: string): boolean {
    if (symbolOf(this.current) !== symbol) return false
    this.advance()
    return true
  }

  error(expected: string): Error {
    const found = this.current.kind === 'end' ? 'the end' : this.current.text
    return expressionError(this.text, this.current.at, `expected ${expected}, found ${found}`)
  }
}
