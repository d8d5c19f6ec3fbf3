/** One entry of the adapter table: the `input` of a known-answer vector in, the fields of `expected` out. */
export type Evaluate = (input: Input) => Readonly<Record<string, unknown>>

/** The input with the strings "NaN" and "Infinity" already turned into numbers; its shape is the vector's own. */
// biome-ignore lint/suspicious/noExplicitAny: outside data, whose shape differs with every function of the table
export type Input = any
