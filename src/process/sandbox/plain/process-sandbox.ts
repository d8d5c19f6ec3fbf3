import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../../util/files.ts'
import { sha256OfJson } from '../../../util/hash.ts'
import { type BuildOptions, hostRoot, type Root, type Sandbox } from '../box.ts'
import { cached } from '../build/cached.ts'
import { digestOf, filesOf } from '../build/context-files.ts'
import { isProvided } from '../build/provided.ts'
import { refused } from '../dockerfile/instructions.ts'
import type { Recipe, Step } from '../recipe.ts'
import { copyTree } from '../transfer/copy-tree.ts'
import { ProcessBox } from './process-box.ts'

/**
 * No isolation: programs run unchanged, in a folder that represents the box's file system. Absolute paths lead to the
 * host: mounts are only found by {@link Box.at}. Only on request.
 */
export const processSandbox: Sandbox = {
  backend: 'process',
  version: process.version,
  can: {
    isolation: 'none',
    images: false,
    cutsNetwork: false,
    memory: false,
    pids: false,
    storage: false,
    anyPath: false,
    writesAnywhere: false,
    otherUsers: false,
    notes: ['no isolation: programs can read and change everything that the user of assay can'],
  },
  build,
  open: spec => ProcessBox.open(spec),
  async discard(files) {
    rmSync(files, { recursive: true, force: true })
  },
}

async function build(recipe: Recipe, options: BuildOptions): Promise<Root> {
  const skipped = recipe.steps.filter(step => isProvided(step, options.provided))
  const steps = recipe.steps.filter(step => !skipped.includes(step))
  const run = steps.find(step => step.kind === 'run')
  if (run !== undefined) throw refused(run.line, run.text, 'without a sandbox the step would change this machine')
  const places = steps.flatMap(step => (step.kind === 'copy' ? filesOf(step, recipe.context) : []))
  const identity = [
    steps.map(({ line: _, ...step }) => step),
    places.map(({ source, target }) => [digestOf(source), target]),
  ]
  const id = sha256OfJson(['process', ...identity]).slice(0, 32)
  const folder = await cached(options.cacheDir, id, async draft => {
    for (const { source, target } of places) await copyTree(source, join(draft, 'root', target))
    for (const step of steps) if (step.kind === 'write') writeWhole(join(draft, 'root', step.to), step.content)
  })
  return {
    ...hostRoot,
    id,
    layer: folder,
    env: Object.fromEntries(steps.flatMap(step => (step.kind === 'env' ? [[step.name, step.value]] : []))),
    workdir: steps.findLast((step): step is Step & { kind: 'workdir' } => step.kind === 'workdir')?.path ?? '/',
    skipped: skipped.map(step => step.text),
    notes: recipe.notes,
  }
}
