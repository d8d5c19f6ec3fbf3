import { hash } from 'node:crypto'

export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex')
