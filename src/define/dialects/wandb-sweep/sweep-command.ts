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

/** An item that W&B takes for a macro, finds no value for, and leaves out of the command. */
export const isLeftOut = (word: string): boolean =>
  /^\$\{.*\}$/s.test(word.replaceAll(/\$\{envvar:\w+\}/g, '_')) && !isMacro(word)

/** The place in the file of an item of the command that is run. */
export const placeInCommand = (index: number, written: readonly Json[]): number =>
  [...written.keys()].filter(at => !isLeftOut(String(written[at])))[index] ?? index

/** W&B leaves macros inside a longer text unchanged. */
export function* commandMistakes(words: readonly string[]): Generator<SourceProblem> {
  if (words.length > 0 && words.every(isLeftOut))
    yield { path: ['command'], message: 'nothing is left to run: W&B drops macros that it does not know' }
  for (const [index, word] of words.entries()) {
    const inside = isMacro(word) || isLeftOut(word) ? undefined : macroNames.find(name => word.includes(`\${${name}}`))
    if (inside !== undefined)
      yield {
        path: ['command', index],
        message: `\${${inside}} is part of a text here, and would get to the program as it is`,
        hint: 'make it a separate item',
      }
  }
}

/** The macros that are left out, each with what was probably meant. */
export const leftOut = (words: readonly string[], parameters: readonly string[]): readonly SourceProblem[] =>
  [...words.entries()]
    .filter(([, word]) => isLeftOut(word))
    .map(([index, word]) => ({
      path: ['command', index],
      message: `there is no macro ${word}: the command goes without it, as in W&B`,
      hint: macroHint(word.slice(2, -1), parameters),
    }))

function macroHint(name: string, parameters: readonly string[]): string {
  if (parameters.includes(name)) return `\${args} passes all parameters, "${name}" as --${name}=…`
  const meant = didYouMean(name, macroNames)?.replace(/"(.*)"/, '${$1}')
  const variable = `for an environment variable write \${envvar:${/^(?:.*:)?(\w+)$/.exec(name)?.[1] ?? 'NAME'}}`
  return meant ?? `${variable}; macros: ${macroNames.map(macro => `\${${macro}}`).join(' ')}`
}
