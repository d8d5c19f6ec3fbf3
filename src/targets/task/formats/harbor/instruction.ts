/** Without the leading lines that only mark the text for crawlers: comments with the word "canary", and blank lines after them. */
export function withoutCanary(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/(?<=\n)/)
  let first = 0
  while (first < lines.length && isCanary(lines[first] ?? '')) {
    first += 1
    while (first < lines.length && lines[first]?.trim() === '') first += 1
  }
  return lines.slice(first).join('')
}

const isCanary = (line: string): boolean => /^\s*(?:<!--.*-->|#.*)\s*$/.test(line) && /canary/i.test(line)
