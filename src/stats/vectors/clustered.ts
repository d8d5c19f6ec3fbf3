import type { Evaluate } from './evaluate.ts'

export const clustered: Readonly<Record<string, Evaluate>> = {}
