import { resolvePath } from '../../define/read-files.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import type { Trunk } from './spec.ts'
import { readFolder } from './state/run-folder.ts'

/** The level of `branch_from` that branches from nothing: the trunk itself, to compare branches with. */
export const isTrunk = (level: Json): boolean => level === null || level === 'trunk' || level === 'none'

/** The turns of `RUN:TURN`, where RUN is the folder of a run. */
export function readTrunk(written: string, places: { readonly folder: string; readonly cwd: string }): Trunk {
  const [, run = '', number = ''] = /^(.+):(\d+)$/s.exec(written) ?? []
  if (run === '')
    throw new AssayError('config', `expected RUN:TURN, got "${written}"`, {
      hint: 'for example results/harbour/runs/a:2',
    })
  const dir = resolvePath(run, places)
  const read = readFolder(dir)
  if (read === null)
    throw new AssayError('config', `${run} is no folder of a run of a scenario`, {
      hint: 'name the folder that scenario-state.json is in',
    })
  const turn = Number(number)
  const { head, turns } = read
  if (turn > turns.length || turn < 1)
    throw new AssayError(
      'config',
      `${run} has ${turns.length} whole turns, so it can't be continued after turn ${turn}`,
    )
  return {
    ...{ run, turn, seed: head.seed, initial_world_state: head.initial_world_state },
    actors: Object.keys(head.actors),
    turns: turns.slice(0, turn),
  }
}
