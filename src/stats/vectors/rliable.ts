import type { Evaluate } from './evaluate.ts'

export const rliable: Readonly<Record<string, Evaluate>> = {}
