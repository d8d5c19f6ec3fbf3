import type { Evaluate } from './evaluate.ts'

export const agreement: Readonly<Record<string, Evaluate>> = {}
