import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Leftovers } from '../../define/target.ts'
import { discardFiles } from '../../process/sandbox/sandbox.ts'
import { hasWorked } from './phases/agent-work.ts'

/** What the boxes of a run have left to be scored again, a folder for each step. */
export const boxLeftovers: Leftovers = {
  of: boxesIn,
  areGone: runDir => hasWorked(runDir) && boxesIn(runDir).length === 0,
  async discard(runDir) {
    for (const box of boxesIn(runDir)) await discardFiles(box)
  },
}

function boxesIn(runDir: string): readonly string[] {
  const attempts = namesIn(join(runDir, 'attempts')).map(name => join(runDir, 'attempts', name))
  return [runDir, ...attempts].flatMap(folder => namesIn(join(folder, 'box')).map(name => join(folder, 'box', name)))
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
