import { join } from 'node:path'
import type { RunRecord } from '../../../define/observation.ts'
import {
  parseStoryHead,
  parseTurn,
  type StoryHead,
  stateFileName,
  type TurnRecord,
  turnFileName,
} from '../../../targets/scenario/state/state.ts'
import { readStartOf } from '../../../util/files.ts'
import { canonicalJson } from '../../../util/json.ts'
import type { RunStory } from '../../dataset/turns.ts'
import { limitsAlone, type ViewLimits, type ViewsOfRuns, viewsWithinRoom } from '../fitting-turns.ts'
import type { FilesOfRuns } from '../run-files.ts'
import { type Ended, inOrderOfInterest } from '../run-tasks.ts'
import { type ReadTurns, storyView } from './story-view.ts'

/** Larger files are not read: the state file, and all turns together. */
const mostBytes = 64 * 1024 * 1024
/** Further turns are not read either. */
const mostTurns = 5000

/** The stories of runs, the most interesting of each variant first, until the report is full. */
export function storiesOf(
  runs: readonly (Ended & Pick<RunRecord, 'params'>)[],
  folders: readonly (string | null)[],
  files: FilesOfRuns['lists'],
): ViewsOfRuns<RunStory> {
  const places = folders.map((folder, at) => (isListed(files[at] ?? null) ? folder : null))
  const order = inOrderOfInterest(runs, places, ({ params }) => canonicalJson(params))
  return viewsWithinRoom(places, order, { view: storyIn, isThere: folder => stateOf(folder) !== null })
}

/** Whether a run has a story, judging by the list of its files. */
const isListed = (files: FilesOfRuns['lists'][number]): boolean =>
  files === null || files.some(({ path }) => path === stateFileName)

/** The same for one run, with more of everything, starting at a turn; null: its folder has none. */
export const wholeStoryIn = (folder: string, first = 1): RunStory | null => storyIn(folder, limitsAlone, first)

export { stateFileName as storyFile }

function storyIn(folder: string, limits: ViewLimits, first = 1): RunStory | null {
  const state = stateOf(folder)
  if (state === null) return null
  if (state > mostBytes) return { file: stateFileName, problem: tooLarge(state) }
  const head = parseStoryHead(textIn(folder, stateFileName, mostBytes)?.text ?? '')
  if ('problem' in head) return { file: stateFileName, problem: head.problem }
  return storyView(stateFileName, head.found, turnsIn(folder, head.found, first), limits, first === 1)
}

/** Each turn has a file of its own, so that a later page need not read the earlier ones. */
function turnsIn(folder: string, { current_turn }: StoryHead, first: number): ReadTurns {
  const turns: TurnRecord[] = []
  const unread: { readonly number: number; readonly problem: string }[] = []
  let room = mostBytes
  const last = Math.min(current_turn, first + mostTurns - 1)
  for (let number = first; number <= last; number++) {
    const file = turnFileName(number)
    const read = textIn(folder, file, room)
    const problem = (why: string): void => void unread.push({ number, problem: `${file} ${why}` })
    if (read === null) problem('is missing')
    else if (read.text === null) problem(tooLarge(read.bytes))
    else {
      room -= read.bytes
      const parsed = parseTurn(read.text, number)
      if ('problem' in parsed) problem(parsed.problem)
      else turns.push(parsed.found)
    }
  }
  return { turns, unread: unread.slice(0, mostUnread) }
}

/** Further broken turns are not named one by one. */
const mostUnread = 200

/** null: there is no such file, or a link in its place; without text: it is larger than that. */
function textIn(
  folder: string,
  file: string,
  most: number,
): { readonly bytes: number; readonly text: string | null } | null {
  const read = readStartOf(join(folder, file), most, folder)
  if (read === null) return null
  return { bytes: read.size, text: read.size > most ? null : read.start.toString('utf8') }
}

/** The size of the state file; null: there is none. */
const stateOf = (folder: string): number | null => readStartOf(join(folder, stateFileName), 0, folder)?.size ?? null

const tooLarge = (bytes: number): string =>
  `has ${Math.round(bytes / 1e6)} MB, and at most ${Math.round(mostBytes / 1e6)} MB of a run are read`
