interface Context {
  readonly data: { readonly summary?: string } | undefined
}

/** A summary of up to six words scores 1, and less for each further word. */
export default function brief(_answer: string, { data }: Context) {
  const words = (data?.summary ?? '').split(/\s+/).length
  const score = Math.max(0, 1 - Math.max(0, words - 6) / 6)
  return { score, passed: words <= 6, reason: `${words} words` }
}
