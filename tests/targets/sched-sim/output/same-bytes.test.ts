import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { simulateIntoFiles } from '../../../../src/targets/sched-sim/output/write-outputs.ts'
import { folderWith } from '../../../support/assay.ts'
import { settingsWith } from '../support/settings.ts'

const files = ['summary.csv', 'workflows.csv', 'tiers.csv', 'trace.json']

function filesOf(params: Parameters<typeof settingsWith>[0]): readonly string[] {
  const outDir = folderWith()
  simulateIntoFiles(settingsWith({ workflows: 20, ...params }), { outDir, trace: 'all' })
  return files.map(file => readFileSync(join(outDir, file), 'utf8'))
}

test('the same seed gives the same bytes in all four files', () => {
  expect(filesOf({ seed: 5 })).toEqual(filesOf({ seed: 5 }))
  expect(filesOf({ seed: 5 })[0]).not.toBe(filesOf({ seed: 6 })[0])
})

test('the time scale changes nothing', () => {
  expect(filesOf({ time_scale: 1 })).toEqual(filesOf({ time_scale: 500 }))
})

test('the numbers match the version that the target declares', () => {
  // If this fails, the same settings give other numbers: raise simulatorVersion in sched-sim-target.ts.
  const hashes = ['fifo_cheapest', 'dag_cheapest', 'dag_escalation', 'full'].map(policy => {
    const [summary = ''] = filesOf({ policy, workflows: 25, seed: 7 })
    return `${policy} ${hash('sha256', summary).slice(0, 16)}`
  })
  expect(hashes).toMatchInlineSnapshot(`
    [
      "fifo_cheapest 25be1fdc7cb48cfe",
      "dag_cheapest 820d199d11e1abc3",
      "dag_escalation b2c2b21f1f2ebd25",
      "full d23cf461d255f735",
    ]
  `)
})
