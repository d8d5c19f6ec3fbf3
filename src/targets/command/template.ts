/** Text with `{placeholders}`; `{{` and `}}` are braces. */
export type Template = readonly Part[]

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'placeholder'; readonly name: string }

/** There are as many as a configuration has texts, and each is filled once per run: parsing them once is enough. */
const parsed = new Map<string, Template>()

/** A brace that is open at the end, or closed without being opened, is an ordinary character. */
export function parseTemplate(source: string): Template {
  const known = parsed.get(source)
  if (known !== undefined) return known
  const template = parse(source)
  parsed.set(source, template)
  return template
}

function parse(source: string): Template {
  if (!source.includes('{') && !source.includes('}')) return [{ kind: 'text', text: source }]
  const parts: Part[] = []
  let text = ''
  for (const [token] of source.matchAll(/\{\{|\}\}|\{[^{}]*\}|[^{}]+|[{}]/g)) {
    if (token === '{{' || token === '}}') text += token[0]
    else if (token.length > 1 && token.startsWith('{')) {
      if (text !== '') parts.push({ kind: 'text', text })
      text = ''
      parts.push({ kind: 'placeholder', name: token.slice(1, -1).trim() })
    } else text += token
  }
  if (text !== '' || parts.length === 0) parts.push({ kind: 'text', text })
  return parts
}

export const placeholdersIn = (source: string): readonly string[] =>
  parseTemplate(source).flatMap(part => (part.kind === 'placeholder' ? [part.name] : []))

/** The name, when the text is one placeholder and nothing else. */
export function onlyPlaceholder(template: Template): string | null {
  const [first, ...others] = template
  return others.length === 0 && first?.kind === 'placeholder' ? first.name : null
}

export const fillTemplate = (template: Template, fillIn: (name: string) => string): string =>
  template.map(part => (part.kind === 'text' ? part.text : fillIn(part.name))).join('')
