import type { Experiment } from '../../define/experiment.ts'
import type { Problem } from '../../define/target.ts'
import { suggest } from '../../util/suggest.ts'
import { knownPlaceholders } from './placeholders.ts'
import { isOnPath, locateProgram } from './program.ts'
import type { CommandSpec } from './spec.ts'
import { placeholdersIn } from './template.ts'

/** What a schema can't see: placeholders that stand for nothing, and a program that isn't there. */
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
  return [...unknown, ...checkProgram(spec, experiment)]
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
  const program = spec.command[0] ?? ''
  // Which program it is depends on the run: starting it will tell.
  if (placeholdersIn(program).length > 0) return []
  const path = ['target', 'command', 0]
  if (!program.includes('/'))
    return isOnPath(program)
      ? []
      : [{ path, message: `program "${program}" was not found on the PATH`, hint: besideHint(program, experiment) }]
  const located = locateProgram(program, experiment.folder)
  switch (located.state) {
    case 'executable':
      return []
    case 'not_executable':
      return [{ path, message: `program "${program}" is not executable`, hint: `run: chmod +x ${located.path}` }]
    case 'missing':
      return [
        {
          path,
          message: `program "${program}" was not found${located.lookedIn.length > 0 ? ` in ${located.lookedIn.join(' or ')}` : ''}`,
          hint: 'a relative path starts at the folder of the configuration file, then at the working directory; is it built?',
        },
      ]
  }
}

const besideHint = (program: string, experiment: Experiment): string =>
  locateProgram(`./${program}`, experiment.folder).state === 'missing'
    ? 'install it, or write its path with a /'
    : `there is one beside the configuration file: write ./${program}`
