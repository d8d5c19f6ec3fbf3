import type { Evaluate } from './evaluate.ts'

export const curve: Readonly<Record<string, Evaluate>> = {}
