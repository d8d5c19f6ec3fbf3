/** The words after `assay`, split as by a shell, as far as the docs need it: quotes, and trailing comments and redirections. */
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
