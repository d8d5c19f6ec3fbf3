import type { Json } from '../../util/json.ts'

/** An expression as a tree; `at` is the column that an error points to. */
export type Node =
  | { readonly kind: 'literal'; readonly value: Json; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-'; readonly operand: Node; readonly at: number }
  | {
      readonly kind: 'binary'
      readonly operator: Operator
      readonly left: Node
      readonly right: Node
      readonly at: number
    }
  | { readonly kind: 'call'; readonly function: FunctionName; readonly args: readonly Node[]; readonly at: number }

export const comparisons = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in'] as const
export type Comparison = (typeof comparisons)[number]
export type Arithmetic = '+' | '-' | '*' | '/' | '%' | '**'
export type Operator = 'and' | 'or' | Comparison | Arithmetic

export const functionNames = ['min', 'max', 'abs', 'len', 'floor', 'ceil', 'round'] as const
export type FunctionName = (typeof functionNames)[number]
