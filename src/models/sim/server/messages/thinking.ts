import { sha256 } from '../../../../util/hash.ts'

/** Anthropic signs reasoning; it must come back unchanged, and no one else can sign it. */
export function signatureOf(thinking: string): string {
  const digest = sha256(thinking).slice(0, 32)
  return Buffer.from(`sim1.${digest}.${sha256(`signed ${digest}`)}`).toString('base64')
}

/** A text that the provider itself omitted is not compared. */
export function isSigned(thinking: string, signature: string): boolean {
  const [, digest = '', seal] = Buffer.from(signature, 'base64').toString().split('.')
  if (seal !== sha256(`signed ${digest}`)) return false
  return thinking === '' || digest === sha256(thinking).slice(0, 32)
}
