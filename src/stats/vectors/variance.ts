import type { Evaluate } from './evaluate.ts'

export const variance: Readonly<Record<string, Evaluate>> = {}
