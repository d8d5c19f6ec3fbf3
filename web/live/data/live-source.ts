import type { RunStory, RunTrajectory } from '../../../src/report/dataset/turns.ts'
import type { RunDetails } from '../../../src/serve/wire.ts'
import type { Loaded, Source } from '../../data/source.ts'
import { unpackPatiently } from '../../data/unpack-patiently.ts'
import type { KnownRun } from '../../runs/run-index.ts'
import { knownFrom } from '../run/known-from.ts'
import { ask, askStory, askTurns, reasonOf } from './ask.ts'

let script: Promise<string> | undefined

/** The dataset of these experiments as it is now. */
export const liveSource = (dirs: readonly string[]): Source => ({
  async load(): Promise<Loaded> {
    script ??= scriptText()
    const response = await fetch(`/api/dataset?${new URLSearchParams(dirs.map(dir => ['dir', dir]))}`)
    if (!response.ok) throw new Error(await reasonOf(response))
    const bytes = new Uint8Array(await response.arrayBuffer())
    await painted()
    const dataset = await unpackPatiently(bytes)
    const dirOf = ({ run }: KnownRun): string =>
      dirs[dataset.evidence.sources.findIndex(({ name }) => name === run.source)] ?? ''
    const wholeRun = async (known: KnownRun): Promise<KnownRun> =>
      knownFrom(await ask<RunDetails>('/api/run', { dir: dirOf(known), run: known.run.name }), known)
    const moreTurns = (known: KnownRun, from: number): Promise<RunTrajectory> =>
      askTurns(dirOf(known), known.run.name, from)
    const moreStory = (known: KnownRun, from: number): Promise<RunStory> => askStory(dirOf(known), known.run.name, from)
    return { bytes, dataset, script: await script, first: null, runsFolder: null, wholeRun, moreTurns, moreStory }
  },
})

/** Lets the known part be painted before a large dataset blocks the page; a hidden page paints nothing. */
const painted = (): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, 200)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer)
        resolve()
      }),
    )
  })

/** The page's own script, which the browser has cached: workers are started with it. */
async function scriptText(): Promise<string> {
  const own = document.querySelector<HTMLScriptElement>('script[src^="/live.js"]')
  return (await fetch(own?.src ?? '/live.js')).text()
}
