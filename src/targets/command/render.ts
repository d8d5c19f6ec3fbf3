import { resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { MacroName } from '../../define/spelling/spelling.ts'
import type { Description, RunPlace } from '../../define/target.ts'
import { shellQuote } from '../../util/words.ts'
import { withInterpreter } from './macros/interpreter.ts'
import { expandMacro } from './macros/macros.ts'
import { passedParams } from './pass-params.ts'
import { placeholderValue } from './placeholders.ts'
import { locateProgram } from './program.ts'
import { type PlacedPart, placesIn, quotedAt } from './shell-line.ts'
import type { CommandSpec } from './spec.ts'
import { fillTemplate, onlyMacro, onlyPlaceholder, type Part, parseTemplate, type Template } from './template.ts'

export interface RenderedCommand extends Description {
  readonly env: Readonly<Record<string, string>>
}

/**
 * The exact command of a run: argv, working directory and the variables that the experiment sets. `environment` looks up
 * `${envvar:NAME}`; without it they stay as they are, since their values may be secret.
 */
export function renderCommand(
  spec: CommandSpec,
  experiment: Experiment,
  run: Run,
  place: RunPlace,
  environment?: (name: string) => string,
): RenderedCommand {
  const fillIn = (name: string) => placeholderValue(name, run, place, experiment.naming)
  const fill = (text: string) => fillTemplate(parseTemplate(text), name => fillIn(name) ?? '', environment)
  const appended = passedParams(spec, experiment.naming, run, place)
  const expand = (macro: MacroName) => expandMacro(macro, { program: spec.program, run, place, experiment })
  const filling = { fillIn, environment, expand }
  const command =
    typeof spec.command === 'string'
      ? ['/bin/sh', '-c', shellLine(spec.command, run.flags, appended, filling)]
      : argumentList(withInterpreter(spec.command), run.flags, appended, filling)
  command[0] = locateProgram(command[0] ?? '', experiment.folder, spec.cwd).path
  return {
    command,
    cwd: spec.cwd === undefined ? experiment.folder : resolve(experiment.folder, fill(spec.cwd)),
    env: spec.env === undefined ? noVariables : filled(spec.env, fill),
  }
}

const noVariables = {}

const filled = (env: NonNullable<CommandSpec['env']>, fill: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(String(value))]))

type FillIn = (name: string) => string | null

interface Filling {
  readonly fillIn: FillIn
  readonly environment: ((name: string) => string) | undefined
  readonly expand: (macro: MacroName) => readonly string[]
}

/** `--flag {absent}` disappears as a whole: a parameter that does not apply must not reach the program. */
function argumentList(
  source: readonly string[],
  flags: readonly string[],
  appended: Appended,
  { fillIn, environment, expand }: Filling,
): string[] {
  const argv: string[] = []
  let flagBefore = false
  for (const [index, { template, name, macro, isFlag, isAssignment }] of wordsOf(source).entries()) {
    if (macro !== null) argv.push(...expand(macro))
    else if (name === 'flags') argv.push(...flags)
    else if (name !== null && index > 0 && fillIn(name) === null) {
      if (flagBefore) argv.pop()
    } else if (!isAssignment || !isAbsent(template, fillIn))
      argv.push(fillTemplate(template, inner => fillIn(inner) ?? '', environment))
    flagBefore = isFlag
  }
  argv.push(...appended.params)
  if (flags.length > 0 && !source.includes('{flags}')) argv.push(...flags)
  argv.push(...appended.outDir)
  return argv
}

const isAbsent = (template: Template, fillIn: FillIn): boolean =>
  template.some(part => part.kind === 'placeholder' && fillIn(part.name) === null)

interface Word {
  readonly template: Template
  readonly name: string | null
  readonly macro: MacroName | null
  readonly isFlag: boolean
  /** `--flag={absent}` is one word of the same kind. */
  readonly isAssignment: boolean
}

/** Facts about a command's words, the same for all its runs. */
const known = new WeakMap<readonly string[], readonly Word[]>()

function wordsOf(source: readonly string[]): readonly Word[] {
  const before = known.get(source)
  if (before !== undefined) return before
  const words = source.map(element => {
    const template = parseTemplate(element)
    const name = onlyPlaceholder(template)
    return {
      template,
      name,
      macro: onlyMacro(template),
      isFlag: name === null && element.startsWith('-'),
      isAssignment: /^--?[\w-]+=\{/.test(element),
    }
  })
  known.set(source, words)
  return words
}

function shellLine(
  line: string,
  flags: readonly string[],
  appended: Appended,
  { fillIn, environment }: Filling,
): string {
  const template = parseTemplate(line)
  const quotedFlags = flags.map(shellQuote).join(' ')
  const fillQuoted = ({ part, place }: PlacedPart): string => {
    if (part.kind === 'environment')
      return environment === undefined ? nameOf(part) : quotedAt(environment(part.name), place)
    if (part.kind !== 'placeholder') return nameOf(part)
    if (part.name === 'flags') return quotedFlags
    const value = fillIn(part.name)
    return value === null ? '' : quotedAt(value, place)
  }
  const filled = placesIn(template).map(fillQuoted).join('')
  const usesFlags = template.some(part => part.kind === 'placeholder' && part.name === 'flags')
  const end = [...appended.params, ...(usesFlags ? [] : flags), ...appended.outDir]
  return [filled, ...end.map(shellQuote)].join(' ')
}

/** As written in the line. */
const nameOf = (part: Part): string => fillTemplate([part], name => `{${name}}`)

interface Appended {
  readonly params: readonly string[]
  readonly outDir: readonly string[]
}
