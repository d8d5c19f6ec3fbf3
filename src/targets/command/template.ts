import { type MacroName, macroNames } from '../../define/spelling/spelling.ts'

/** Text with `{placeholders}` and `${envvar:NAME}`, or a macro such as `${args}` alone; `{{` and `}}` are braces. */
export type Template = readonly Part[]

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'placeholder'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'macro'; readonly name: MacroName }

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
  const macro = macroNames.find(name => source === `\${${name}}`)
  if (macro !== undefined) return [{ kind: 'macro', name: macro }]
  const parts: Part[] = []
  let text = ''
  const add = (part: Part): void => {
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
    parts.push(part)
  }
  for (const [token] of source.matchAll(/\$\{envvar:\w+\}|\{\{|\}\}|\{[^{}]*\}|[^{}$]+|[{}$]/g)) {
    if (token === '{{' || token === '}}') text += token[0]
    else if (token.startsWith('${')) add({ kind: 'environment', name: token.slice('${envvar:'.length, -1) })
    else if (token.length > 1 && token.startsWith('{')) add({ kind: 'placeholder', name: token.slice(1, -1).trim() })
    else text += token
  }
  if (text !== '' || parts.length === 0) parts.push({ kind: 'text', text })
  return parts
}

export const placeholdersIn = (source: string): readonly string[] =>
  parseTemplate(source).flatMap(part => (part.kind === 'placeholder' ? [part.name] : []))

export const variablesIn = (source: string): readonly string[] =>
  parseTemplate(source).flatMap(part => (part.kind === 'environment' ? [part.name] : []))

/** The name, when the text is one placeholder and nothing else. */
export function onlyPlaceholder(template: Template): string | null {
  const [first, ...others] = template
  return others.length === 0 && first?.kind === 'placeholder' ? first.name : null
}

/** The name, when the text is a macro. */
export const onlyMacro = ([first]: Template): MacroName | null => (first?.kind === 'macro' ? first.name : null)

/** Variables are filled in only for the program: displayed and stored texts contain their names, not their values. */
export const fillTemplate = (
  template: Template,
  fillIn: (name: string) => string,
  environment: (name: string) => string = name => `\${envvar:${name}}`,
): string => {
  let text = ''
  for (const part of template) text += filled(part, fillIn, environment)
  return text
}

function filled(part: Part, fillIn: (name: string) => string, environment: (name: string) => string): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'placeholder':
      return fillIn(part.name)
    case 'environment':
      return environment(part.name)
    case 'macro':
      return `\${${part.name}}`
  }
}
