import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, inTemporaryFolder, type Measured, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

const [fewer, more] = [1000, 10_000] as const

/** Only reads and parses the same files: the lower bound of any JSON reader. */
const plain = `import { readdirSync, readFileSync } from 'node:fs'
let turns = 0
for (const name of readdirSync(process.argv[2])) turns += JSON.parse(readFileSync(process.argv[2] + '/' + name, 'utf8')).trajectory.length
console.log(turns)
`

/** V8 grows its young generation up to a limit while reading; with a fixed size, memory shows only retained objects. */
const fixed = ['--max-semi-space-size=4']

/** `assay parse` of a folder of SWE-agent's files of 100 kB each. */
export const trajectoryFilesBench: Bench = {
  name: 'trajectory-files',
  run: () =>
    inTemporaryFolder(async folder => {
      writeFileSync(join(folder, 'plain.mjs'), plain)
      for (const count of [fewer, more]) writeFiles(join(folder, String(count)), count)
      const parse = (count: number): Promise<Measured> =>
        measure([process.execPath, ...fixed, assay, 'parse', String(count)], { cwd: folder })
      const small = await parse(fewer)
      const large = await parse(more)
      const peer = await measure([process.execPath, 'plain.mjs', String(more)], { cwd: folder })
      const grown = (large.megabytes ?? Number.NaN) / (small.megabytes ?? Number.NaN)
      return [
        {
          work: '`parse` of 10,000 trajectories of 100 kB',
          result: `${large.seconds.toFixed(1)} s, ${large.cpuSeconds.toFixed(1)} s of CPU; ${(large.cpuSeconds / peer.cpuSeconds).toFixed(2)} × JSON.parse alone`,
          mustReach: '< 20 s',
          isReached: large.seconds < 20,
        },
        {
          work: '… peak memory against 1,000',
          result: `${Math.round(large.megabytes ?? 0)} MB against ${Math.round(small.megabytes ?? 0)} MB, ${grown.toFixed(2)} ×`,
          mustReach: '≤ 1.3 ×, < 200 MB',
          isReached: large.megabytes === null ? null : grown <= 1.3 && large.megabytes < 200,
        },
      ]
    }),
}

/** Thirty turns each, with the prompt of each turn as in SWE-agent, so that much of a file is repeated. */
function writeFiles(folder: string, count: number): void {
  mkdirSync(folder)
  const history: object[] = [{ role: 'system', content: 'You fix bugs.' }]
  const trajectory = Array.from({ length: 30 }, (_, at) => {
    const action = `sed -n '${at},${at + 40}p' src/module_${at}.py`
    const observation = `line ${at} of the file\n`.repeat(60)
    history.push({ role: 'assistant', content: `I look at module ${at}.`, action })
    history.push({ role: 'user', content: observation })
    const tokens = { raw_input: 1000, cached_input: 500 * at, output: 80, internal_reasoning: null }
    return {
      ...{ action, observation, response: `I look at module ${at}.`, thought: '', execution_time: 0.5, state: {} },
      turn_statistics: { cost: 0.01, tokens, inference_time: 900 },
    }
  })
  const tokens = { raw_input: 30_000, cached_input: 217_500, output: 2400, internal_reasoning: null }
  const info = {
    exit_status: 'submitted',
    submission: 'diff',
    model_stats: { instance_cost: 0.3, api_calls: 30, tokens },
  }
  const text = JSON.stringify({ trajectory, history, info, padding: 'x'.repeat(20_000) })
  for (let at = 0; at < count; at++) writeFileSync(join(folder, `repo__repo-${at}.traj`), text)
}
