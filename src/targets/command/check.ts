import type { Experiment } from '../../define/experiment.ts'
import type { Problem } from '../../define/target.ts'
import { findProgram } from '../../process/spawn/spawn-group.ts'
import { suggest } from '../../util/suggest.ts'
import { foreignFormat } from './foreign-program.ts'
import { checkMacros } from './macros/check-macros.ts'
import { withInterpreter } from './macros/interpreter.ts'
import { knownPlaceholders } from './placeholders.ts'
import { locateProgram } from './program.ts'
import { placesIn, refusalAt } from './shell-line.ts'
import type { CommandSpec } from './spec.ts'
import { parseTemplate, placeholdersIn, variablesIn } from './template.ts'

/** Checks beyond the schema: placeholders without a value, and a missing program. */
export function checkCommand(spec: CommandSpec, experiment: Experiment): readonly Problem[] {
  const known = knownPlaceholders(experiment)
  const texts: readonly (readonly [path: Problem['path'], text: string])[] = [
    ...(typeof spec.command === 'string'
      ? [[['target', 'command'], spec.command] as const]
      : spec.command.map((text, index) => [['target', 'command', index], text] as const)),
    [['target', 'cwd'], spec.cwd ?? ''],
    ...Object.entries(spec.env ?? {}).map(([name, value]) => [['target', 'env', name], String(value)] as const),
  ]
  const unknown = texts.flatMap(([path, text]) =>
    placeholdersIn(text)
      .filter(name => !known.has(name))
      .map(name => unknownPlaceholder(name, path, known)),
  )
  return [
    ...unknown,
    ...checkShellLine(spec),
    ...checkMacros(spec, experiment),
    ...checkVariables(texts),
    ...checkProgram(spec, experiment),
  ]
}

/** A value that the shell could read as a command is not given to it. */
function checkShellLine({ command }: CommandSpec): readonly Problem[] {
  if (typeof command !== 'string') return []
  return placesIn(parseTemplate(command)).flatMap(({ part, place }) => {
    const refusal = part.kind === 'placeholder' || part.kind === 'environment' ? refusalAt(place) : null
    if (refusal === null || !('name' in part)) return []
    const hint = `give it to the program by its environment: env: { VALUE: "{${part.name}}" }, and "$VALUE" in the command`
    return [{ path: ['target', 'command'], message: `{${part.name}} ${refusal}`, hint }]
  })
}

/** A variable that is not set would silently be something else on the command line. */
function checkVariables(texts: readonly (readonly [path: Problem['path'], text: string])[]): readonly Problem[] {
  return texts.flatMap(([path, text]) =>
    variablesIn(text)
      .filter(name => process.env[name] === undefined)
      .map(name => ({
        path,
        message: `the environment variable ${name} is not set`,
        hint: `export ${name}=… before you start assay`,
      })),
  )
}

function unknownPlaceholder(name: string, path: Problem['path'], known: ReadonlySet<string>): Problem {
  const similar = suggest(name, known)
  const list = [...known].sort().join(', ')
  return {
    path,
    message: `{${name}} is neither a parameter nor a block of this experiment`,
    hint: `${similar === null ? '' : `did you mean {${similar}}? `}known: ${list}; for a literal brace write {{ or }}`,
  }
}

function checkProgram(spec: CommandSpec, experiment: Experiment): readonly Problem[] {
  if (typeof spec.command === 'string') return []
  const program = withInterpreter(spec.command)[0] ?? ''
  // The program depends on the run, or is somewhere else: starting it will tell.
  if (parseTemplate(program).some(part => part.kind !== 'text')) return []
  const path = ['target', 'command', 0]
  const problems = program.includes('/')
    ? checkFile(program, path, spec, experiment)
    : checkOnPath(program, path, spec, experiment)
  return problems.map(problem => ({ ...problem, isOnlyForRuns: true }))
}

function checkFile(
  program: string,
  path: Problem['path'],
  { cwd }: CommandSpec,
  { folder }: Experiment,
): readonly Problem[] {
  const located = locateProgram(program, folder, cwd)
  const foreign = located.state === 'missing' ? null : foreignFormat(located.path)
  if (foreign !== null)
    return [
      { path, message: `program "${program}" is not executable here: ${foreign}`, hint: 'build it on this machine' },
    ]
  switch (located.state) {
    case 'executable':
      return []
    case 'not_executable':
      return [{ path, message: `program "${program}" is not executable`, hint: `run: chmod +x ${located.path}` }]
    case 'missing':
      return [
        {
          path,
          message: `program "${program}" was not found${located.searched.length > 0 ? ` in ${located.searched.join(' or ')}` : ''}`,
          hint: 'a relative path starts at the folder of the configuration file, then at the working directory; is it built?',
        },
      ]
  }
}

/** Looked for as it will be when it starts. */
function checkOnPath(
  program: string,
  path: Problem['path'],
  { env = {} }: CommandSpec,
  experiment: Experiment,
): readonly Problem[] {
  const folders = String(env.PATH ?? process.env.PATH ?? '')
  if (parseTemplate(folders).some(part => part.kind !== 'text')) return []
  const found = findProgram(program, experiment.folder, env.PATH === undefined ? process.env.PATH : folders)
  if ('file' in found) return []
  if (found.code === 'EACCES') return [{ path, message: `program "${program}" on the PATH may not be executed` }]
  return [{ path, message: `program "${program}" was not found on the PATH`, hint: besideHint(program, experiment) }]
}

const besideHint = (program: string, experiment: Experiment): string =>
  locateProgram(`./${program}`, experiment.folder).state === 'missing'
    ? 'install it, or write its path with a /'
    : `there is one beside the configuration file: write ./${program}`
