import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { LimitReached } from '../../../src/define/permits.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { openOffice } from '../../engine/permits/office.ts'
import { planned } from '../../record/support.ts'
import { calm } from '../support.ts'
import { environmentAt, post, price, settingsFor, startProvider, user } from './support.ts'

const served: ModelSettings = { 'sim/worker': { price, tokens: { output: 400, spread: 0.5 } } }

const questions = (index: number) => {
  const messages = [user(`question ${index}`)]
  const stream = index % 2 === 0
  return [
    ['/v1/chat/completions', { model: 'gpt', messages, stream, max_completion_tokens: 800 }],
    ['/v1/responses', { model: 'gpt', input: messages, stream, max_output_tokens: 800 }],
    ['/v1/messages', { model: 'claude', messages, stream, max_tokens: 800 }],
  ][index % 3] as [string, object]
}

test('eight agents at once never spend more than the budget, by the bill of the provider', async () => {
  const server = await startProvider(served)
  const env = environmentAt(server.address)
  const models = openModels({ env, settings: settingsFor('sim/worker') })
  const { journal, workerId } = planned('run')
  const budget = 0.1
  const { permits } = openOffice(journal, workerId, { budget_usd: budget }).start()
  const limits: LimitReached[] = []
  const proxy = await models.openProxy({
    ...{ signal: calm(), listen: { port: 0 } },
    run: { permits, seed: 1 },
    onLimit: limit => limits.push(limit),
  })
  const root = `http://127.0.0.1:${proxy.port}`
  let asked = 0
  const refused: { status: number; text: string; headers: Headers }[] = []
  const agent = async (): Promise<void> => {
    while (refused.length < 8) {
      const answer = await post({ root, proxy }, ...questions(asked++))
      if (answer.status !== 200) refused.push(answer)
    }
  }
  await Promise.all(Array.from({ length: 8 }, agent))
  await proxy.close()
  const { usd, charges } = server.bill()
  expect(charges).toBeGreaterThan(10)
  expect(usd).toBeLessThanOrEqual(budget)
  expect(proxy.totals()).toMatchObject({ calls: charges, failed_calls: 0 })
  expect(proxy.totals().cost_usd).toBeCloseTo(usd ?? Number.NaN, 12)
  // Not one call less than there was room for.
  expect(usd).toBeGreaterThan(budget - 0.009)
  expect(limits).toHaveLength(1)
  expect(proxy.limit).toBe(limits[0])
  expect(proxy.limit?.limit).toBe('budget_usd')
  for (const { status, text, headers } of refused) {
    expect(status).toBe(400)
    expect(headers.get('x-should-retry')).toBe('false')
    expect(JSON.parse(text).error).toMatchObject({ type: 'budget_reached', message: expect.stringContaining('budget') })
  }
})
