import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { AssayError } from '../../../util/errors.ts'
import { suggest } from '../../../util/suggest.ts'
import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { bestOfSweep } from '../../sweep/best-of-sweep.ts'
import { createSweep } from '../../sweep/create-sweep.ts'
import { listSweeps } from '../../sweep/list-sweeps.ts'
import type { CommandBody } from '../../tables/commands/command.ts'
import { cancelCommand, pauseCommand, resumeCommand, stopCommand } from '../run/control.ts'

const actions: Readonly<Record<string, CommandBody>> = {
  create: createSweep,
  list: listSweeps,
  best: bestOfSweep,
  pause: pauseCommand,
  resume: resumeCommand,
  stop: stopCommand,
  cancel: cancelCommand,
}

/** `assay sweep <action> …`; without an action it is `create`. The action may also be an option: `sweep --stop <id>`. */
export async function sweepCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [first, second] = args
  const flagged = (['pause', 'resume', 'stop', 'cancel'] as const).filter(name => options[name])
  if (flagged.length > 1) throw new AssayError('usage', `--${flagged[0]} and --${flagged[1]} can't be combined`)
  const named = first !== undefined && Object.hasOwn(actions, first) ? first : undefined
  const action = flagged[0] ?? named ?? 'create'
  const rest = named === undefined ? args : args.slice(1)
  if (rest.length > 1) throw unknownAction(first ?? '', second ?? '')
  if (action === 'create' && first !== undefined && named === undefined) refuseMisspelt(first, io)
  if (action !== 'create' && action !== 'list' && rest.length === 0)
    throw new AssayError('usage', `which one? sweep ${action} needs an id or an experiment directory`, {
      hint: '`assay sweep list` shows the ids.',
    })
  const command = actions[action]
  if (command === undefined) throw unknownAction(action, '')
  return command(rest, options, io)
}

/** Two words, the first of which is probably a misspelt action. */
function unknownAction(word: string, next: string): AssayError {
  const near = suggest(word, Object.keys(actions))
  return new AssayError('usage', `sweep does not know "${word}"`, {
    hint: near === null ? `There are ${Object.keys(actions).join(', ')}.` : `did you mean: assay sweep ${near} ${next}`,
  })
}

/** One word that is not a file, but almost an action. */
function refuseMisspelt(word: string, io: Io): void {
  if (!existsSync(resolve(io.cwd, word)) && suggest(word, Object.keys(actions)) !== null) throw unknownAction(word, '…')
}
