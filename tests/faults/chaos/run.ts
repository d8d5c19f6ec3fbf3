import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeClocksOfTheDead } from '../../support/fake-clock.ts'
import { episode } from './episode.ts'
import { episodeOptions } from './episode-options.ts'
import { runCutEpisode, runQueueEpisodes } from './run-queue.ts'

// `npm run chaos -- --minutes 60 --seed 1`: episodes of random faults, until the time is over or something was found.
// `npm run chaos -- queue`: two machines on a queue, on each server that is installed; `-- queue --runs 200` for fewer.
// `npm run chaos -- network --runs 500`: two hosts in separate networks, each cut off for 30 seconds.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
    runs: { type: 'string', default: '2000' },
    server: { type: 'string' },
  },
})
if (positionals[0] === 'queue')
  process.exitCode = await runQueueEpisodes(Number(values.seed), Number(values.runs), values.server)
else if (positionals[0] === 'network')
  process.exitCode = await runCutEpisode(Number(values.seed), Number(values.runs), 30_000)
else process.exitCode = await runEpisodes()

async function runEpisodes(): Promise<number> {
  const until = performance.now() + Number(values.minutes) * 60_000
  const totals: Record<string, number> = {}
  let episodes = 0
  let found = 0
  const bound = { budget: 0, rate: 0 }
  for (let seed = Number(values.seed); performance.now() < until; seed++) {
    const options = episodeOptions(seed)
    const { binds, isMild, other } = options
    const { findings, faults, log, missing, folder, isBound } = await episode(options)
    removeClocksOfTheDead()
    if (isBound && binds !== 'none') bound[binds]++
    if (episodes++ === 0) for (const one of missing) console.log(`without ${one}`)
    for (const [name, count] of Object.entries(faults)) totals[name] = (totals[name] ?? 0) + count
    console.log(
      `seed ${seed}, ${other}${isMild ? ', mild' : ''}${isBound ? `, ${binds} reached` : ''}: ${JSON.stringify(faults)}${findings.length === 0 ? '' : ', FOUND'}`,
    )
    if (findings.length === 0) continue
    found++
    writeFileSync(join(folder, 'log'), `${log.join('\n')}\n`)
    for (const finding of findings) console.log(`  ${finding}`)
    console.log(`  everything is in ${folder}`)
    if (!values['keep-going']) break
  }
  console.log(
    `${episodes} episodes, ${found} with findings; budget reached in ${bound.budget}, rate in ${bound.rate}; ${JSON.stringify(totals)}`,
  )
  return found === 0 ? 0 : 1
}
