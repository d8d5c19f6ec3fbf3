/** What follows `assay`, as a shell would split it, for what is in the docs: quotes, and comments and redirections at the end. */
export function wordsOf(line: string): readonly string[] {
  const command = line.replace(/ +#.*$/, '').replace(/ +>+ [^'"]*$/, '')
  const quoted = /'([^']*)'|"([^"]*)"/g
  const words = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(quoted, '$1$2'))
  return words.slice(words.indexOf('assay') + 1)
}

/** Whether a line only calls assay, so that no shell is needed to understand it. */
export function isPlainCall(line: string): boolean {
  const unquoted = line.replace(/ +#.*$/, '').replaceAll(/'[^']*'|"[^"$`\\]*"/g, '')
  return /^assay /.test(line) && !/[&|;<>$`*?~\\(){}]/.test(unquoted)
}
