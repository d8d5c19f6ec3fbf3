import type { Evaluate } from './evaluate.ts'

export const metric: Readonly<Record<string, Evaluate>> = {}
