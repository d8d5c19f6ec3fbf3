import type { Evaluate } from './evaluate.ts'

export const bootstrap: Readonly<Record<string, Evaluate>> = {}
