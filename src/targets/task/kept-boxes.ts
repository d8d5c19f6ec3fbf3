import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { discardFiles } from '../../process/sandbox/sandbox.ts'
import { hasWorked } from './phases/agent-work.ts'

/** What boxes of a run have left to be scored again, a folder for each step: of its last attempt and of earlier ones. */
export const keptBoxes = (runDir: string): readonly string[] =>
  [runDir, ...namesIn(join(runDir, 'attempts')).map(name => join(runDir, 'attempts', name))].flatMap(folder =>
    namesIn(join(folder, 'box')).map(name => join(folder, 'box', name)),
  )

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** Whether an agent has worked in this run, and what it left in its boxes is gone. */
export const isWithoutBoxes = (runDir: string): boolean => hasWorked(runDir) && keptBoxes(runDir).length === 0

/** Deletes them, and the containers that stand for some of them. */
export async function discardBoxes(runDir: string): Promise<void> {
  for (const box of keptBoxes(runDir)) await discardFiles(box)
}
