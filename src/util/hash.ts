import { hash } from 'node:crypto'

export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex')

/** Enough of a digest to tell runs of one experiment apart, and short enough to read aloud. */
export const shortHash = (text: string): string => sha256(text).slice(0, 12)
