import { once } from 'node:events'
import type { Permits } from '../../src/define/permits.ts'
import { type Models, openModels } from '../../src/models/open-models.ts'
import { alternate, inTemporaryFolder } from '../measure.ts'
import type { Bench } from '../row.ts'
import { startServer } from './models.ts'
import { openPermits } from './permits.ts'

const calls = 200
/** As long as codex's prompt for every call. */
const history = Array.from({ length: 20 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'user' : 'assistant',
  content: `${turn} ${'Say in one sentence what a harbour is for. '.repeat(46)}`,
}))

/** Permits everything: the cost of limits and ledger depends on the disk, and is measured separately. */
const yes: Permits = { acquire: async ask => ({ id: 0, ask }), settle: () => {} }

/** The additional latency of an agent's calls through the proxy. */
export const proxyBench: Bench = {
  name: 'proxy',
  run: () =>
    inTemporaryFolder(async folder => {
      const { child, address } = await startServer(folder)
      const office = openPermits(folder)
      const [proxy, limited] = [await openProxyTo(address, yes), await openProxyTo(address, office.permits)]
      const direct = { root: address, key: 'none', model: 'sim/small' }
      const [through, withLimits] = [wayTo(proxy), wayTo(limited)]
      try {
        await Promise.all([direct, through, withLimits].map(way => ask(way, false, 0)))
        const least = await alternate(5, {
          direct: () => inTurn(direct, false),
          through: () => inTurn(through, false),
          withLimits: () => inTurn(withLimits, false),
          directFirst: () => inTurn(direct, true),
          throughFirst: () => inTurn(through, true),
        })
        const added = least.through - least.direct
        const limits = least.withLimits - least.direct
        const first = least.throughFirst - least.directFirst
        return [
          {
            work: `${calls} calls of an agent one after the other, 40 kB each, through the model proxy`,
            result: `${added.toFixed(2)} ms more per call (direct ${least.direct.toFixed(2)} ms, proxy ${least.through.toFixed(2)} ms)`,
            mustReach: '≤ 3 ms',
            isReached: added <= 3,
          },
          {
            work: 'the same without `run_budget_usd`: each call is reserved and settled in a journal on this disk',
            result: `${limits.toFixed(2)} ms more per call (${least.withLimits.toFixed(2)} ms); with one there are no such writes`,
            mustReach: '≤ 3 ms',
            isReached: limits <= 3,
          },
          {
            work: 'until the first chunk of a stream, through the model proxy',
            result: `${first.toFixed(2)} ms more (direct ${least.directFirst.toFixed(2)} ms, proxy ${least.throughFirst.toFixed(2)} ms)`,
            mustReach: '≤ 3 ms',
            isReached: first <= 3,
          },
        ]
      } finally {
        await proxy.close()
        await limited.close()
        office.close()
        child.kill()
        await once(child, 'close')
      }
    }),
}

function openProxyTo(address: string, permits: Permits): Promise<ModelProxy> {
  const price = [{ above: 0, input: 1, output: 1 }]
  const settings = { small: { provider: 'openai-compatible', model: 'sim/small', address, price } }
  const run = { permits, seed: 1 }
  return openModels({ env: {}, settings }).openProxy({
    ...{ run, listen: { port: 0 }, signal: new AbortController().signal },
  })
}

type ModelProxy = Awaited<ReturnType<Models['openProxy']>>

const wayTo = ({ port, key }: ModelProxy): Way => ({ root: `http://127.0.0.1:${port}/v1`, key, model: 'small' })

interface Way {
  readonly root: string
  readonly key: string
  readonly model: string
}

/** Milliseconds of the median call. */
async function inTurn(way: Way, isStream: boolean): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < calls; turn++) times.push(await ask(way, isStream, turn))
  return times.sort((a, b) => a - b)[calls / 2] ?? 0
}

/** Milliseconds until the whole answer, or the first chunk of a stream. */
async function ask({ root, key, model }: Way, isStream: boolean, turn: number): Promise<number> {
  const messages = [...history, { role: 'user', content: `turn ${turn}` }]
  const started = performance.now()
  const response = await fetch(`${root}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, max_tokens: 200, stream: isStream }),
  })
  const reader = response.body?.getReader()
  await reader?.read()
  const first = performance.now() - started
  for (let read = await reader?.read(); read?.done === false; ) read = await reader?.read()
  return isStream ? first : performance.now() - started
}
