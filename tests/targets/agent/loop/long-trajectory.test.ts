import { expect, it } from 'vitest'
import { writeAtif } from '../../../../src/models/trajectory/trajectory-files.ts'
import { bash, simulated, workOn } from '../support.ts'

async function bytesOf(turns: number): Promise<number> {
  const models = simulated([bash('seq 200')])
  const { trajectory } = await workOn({ models, settings: { call_limit: turns + 10, turn_limit: turns } })
  expect(trajectory.turns.length).toBeGreaterThanOrEqual(turns)
  return writeAtif(trajectory).length
}

it('a trajectory of 120 turns is twice as long as one of 60', async () => {
  expect((await bytesOf(120)) / (await bytesOf(60))).toBeLessThan(2.1)
})
