interface Context {
  readonly data: { readonly summary?: string } | undefined
}

/** A summary is brief if it has no more than six words: 1, and less for each word more. */
export default function brief(_answer: string, { data }: Context) {
  const words = (data?.summary ?? '').split(/\s+/).length
  const score = Math.max(0, 1 - Math.max(0, words - 6) / 6)
  return { score, passed: words <= 6, reason: `${words} words` }
}
