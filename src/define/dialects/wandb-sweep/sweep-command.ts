import type { Json } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import type { SourceProblem } from '../../problems.ts'
import type { Source } from '../../source/source.ts'
import { macroNames, pythonJson } from '../../spelling/spelling.ts'

/** The command if the file has no `command`. */
export const defaultCommand = ['${env}', '${interpreter}', '${program}', '${args}']

/** The items of a command, converted to text like Python does. */
export function wordsOf(command: readonly Json[], source: Source): readonly string[] {
  return command.map((item, index) => {
    if (typeof item === 'string') return item
    if (typeof item === 'boolean') return item ? 'True' : 'False'
    if (item === null) return 'None'
    return pythonJson(item, inner => source.spellingOf(['command', index, ...inner]))
  })
}

/** The same for our own command target, where braces have a meaning. */
export const withoutPlaceholders = (word: string): string =>
  isMacro(word)
    ? word
    : word.replaceAll(/(\$\{envvar:\w+\})|[{}]/g, (brace, variable: string | undefined) => variable ?? brace.repeat(2))

const isMacro = (word: string): boolean => macroNames.some(name => word === `\${${name}}`)

/** W&B drops unknown macros, and leaves those inside a longer text unchanged. */
export function* commandMistakes(words: readonly string[], parameters: readonly string[]): Generator<SourceProblem> {
  for (const [index, word] of words.entries()) {
    const path = ['command', index]
    const whole = /^\$\{([^{}]*)\}$/.exec(word)?.[1]
    const inside = whole === undefined ? macroNames.find(name => word.includes(`\${${name}}`)) : undefined
    if (whole !== undefined && !isMacro(word) && !/^envvar:\w+$/.test(whole))
      yield { path, message: `there is no macro \${${whole}}`, hint: macroHint(whole, parameters) }
    if (inside !== undefined)
      yield {
        path,
        message: `\${${inside}} is part of a text here, and would get to the program as it is`,
        hint: 'make it a separate item',
      }
  }
}

function macroHint(name: string, parameters: readonly string[]): string {
  if (parameters.includes(name)) return `\${args} passes all parameters, "${name}" as --${name}=…`
  const meant = didYouMean(name, macroNames)?.replace(/"(.*)"/, '${$1}')
  const variable = `for an environment variable write \${envvar:${name.replace(/^.*:/, '') || 'NAME'}}`
  return meant ?? `${variable}; macros: ${macroNames.map(macro => `\${${macro}}`).join(' ')}`
}
