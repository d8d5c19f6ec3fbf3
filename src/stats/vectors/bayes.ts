import type { Evaluate } from './evaluate.ts'

export const bayes: Readonly<Record<string, Evaluate>> = {}
