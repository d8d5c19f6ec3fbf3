import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mixSeed, seededRandom } from '../../../src/util/random.ts'
import { canRecord } from './record.ts'
import { findingsAt, inAProcess, recordRun } from './simulate.ts'

// `npm run power-loss -- --every 1 --times 3`: lets the power fail after every operation of a recorded run.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '8' },
    every: { type: 'string', default: '1' },
    times: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
})
if (!canRecord()) {
  console.log('strace is not installed')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'assay-power-loss-'))
const recording = recordRun(join(folder, 'recorded'), Number(values.runs))
let points = 0
let repaired = 0
let found = 0
for (let at = 0; at <= recording.operations.length; at += Number(values.every))
  for (const loss of [
    'nothing',
    'all',
    ...Array.from({ length: Number(values.times) }, () => 'some' as const),
  ] as const) {
    const random = seededRandom(mixSeed(Number(values.seed), at * 100 + points)).next
    const { findings, isRepaired } = await findingsAt(
      recording,
      { at, loss, random },
      join(folder, 'after'),
      inAProcess,
    )
    points++
    if (isRepaired) repaired++
    if (findings.length === 0) continue
    found++
    console.log(`after ${at} of ${recording.operations.length} operations, ${loss} of what was not synced lost:`)
    for (const finding of findings) console.log(`  ${finding}`)
  }
console.log(
  `${points} power failures after ${recording.operations.length} operations, ${repaired} needed a repair, ${found} with findings`,
)
rmSync(folder, { recursive: true, force: true })
process.exitCode = found === 0 ? 0 : 1
