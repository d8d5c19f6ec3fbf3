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

/** Whether an address holds a password or a key, for places that keep what they are given. */
export const hasAddressSecret = (text: string): boolean => withoutAddressSecrets(text) !== text

/** As a secret may also stand in a text: in JSON, in an address, and in base64 at any of its three alignments. */
export function spellingsOf(secret: string): readonly string[] {
  const plain = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return [...new Set([...plain, ...(secret.length < shortestInBase64 ? [] : inBase64(secret))])]
}

/** Of shorter ones, too few characters are the same whatever stands beside them. */
const shortestInBase64 = 12

function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].flatMap(before => {
    const bytes = [...new Uint8Array(before), ...new TextEncoder().encode(secret)]
    // Only whole characters: the first and the last may also hold bits of what stands beside it.
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((bytes.length * 8) / 6)
    const core = btoa(String.fromCharCode(...bytes)).slice(from, to)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
