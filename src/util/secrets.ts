/** Names of variables, options and files' keys whose values must stay secret. */
export const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|PRIVATE|SESSION/i

/** `scheme://user:password@host`, and parameters of an address that are named like a secret. */
const inAddress = [
  { pattern: /([a-z][a-z0-9+.-]*:\/\/)[^/@\s"']+@/gi, masked: '$1(masked)@' },
  {
    pattern: /([?&](?:[\w.-]*(?:key|token|secret|passw(?:or)?d|signature|credential)|auth|sig)=)[^&\s"'#]+/gi,
    masked: '$1(masked)',
  },
] as const

/** The same text with passwords and keys in its addresses taken out. */
export const withoutAddressSecrets = (text: string): string =>
  text.includes('=') || text.includes('@')
    ? inAddress.reduce((left, { pattern, masked }) => left.replace(pattern, masked), text)
    : text

/** Whether an address contains a password or a key, for places that store what they are given. */
export const hasAddressSecret = (text: string): boolean => withoutAddressSecrets(text) !== text

/** The forms a secret can take in a text: in JSON, in an address, and in base64 at each of its three alignments. */
export function spellingsOf(secret: string): readonly string[] {
  const plain = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return [...new Set([...plain, ...(secret.length < shortestInBase64 ? [] : inBase64(secret))])]
}

/** For shorter secrets, too few base64 characters are independent of the text around them. */
const shortestInBase64 = 12

function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].flatMap(before => {
    const bytes = [...new Uint8Array(before), ...new TextEncoder().encode(secret)]
    // Only characters that are entirely the secret's: the first and the last may also contain bits of its neighbours.
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((bytes.length * 8) / 6)
    const core = btoa(String.fromCharCode(...bytes)).slice(from, to)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
