import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'
import type { ModelSettings } from '../../src/define/models/model-settings.ts'
import type { Permits } from '../../src/define/permits.ts'
import { openModels } from '../../src/models/open-models.ts'
import { RunTrace } from '../../src/models/trace/run-trace.ts'
import { alternate, assay, inTemporaryFolder } from '../measure.ts'
import type { Bench } from '../row.ts'

export const calls = 200
const prompt = 'Say in one sentence what a harbour is for. '.repeat(20)
/** As fast as a small model on a good day. */
const defaultCallMs = 300

export const modelsBench: Bench = {
  name: 'models',
  run: () =>
    inTemporaryFolder(async folder => {
      const { child, address } = await startServer(folder)
      try {
        const least = await alternate(5, {
          sdk: () => timed(withSdk(address)),
          assay: () => timed(withAssay(address, null)),
          traced: () => timed(withAssay(address, folder)),
        })
        const overhead = (least.traced - least.sdk) / calls
        const tracing = await tracingMs(folder)
        const share = tracing / defaultCallMs
        return [
          {
            work: `${calls} concurrent calls through the client, permits and trace, over the AI SDK alone`,
            result: `${overhead.toFixed(2)} ms more per call (AI SDK ${perCall(least.sdk)}, assay ${perCall(least.assay)}, traced ${perCall(least.traced)})`,
            mustReach: '≤ 3 ms',
            isReached: overhead <= 3,
          },
          {
            work: 'tracing one call, prompt and answer included',
            result: `${(tracing * 1000).toFixed(0)} µs, ${(share * 100).toFixed(2)}% of a call of ${defaultCallMs} ms`,
            mustReach: '< 2%',
            isReached: share < 0.02,
          },
        ]
      } finally {
        child.kill()
        await once(child, 'close')
      }
    }),
}

const perCall = (ms: number): string => `${(ms / calls).toFixed(2)} ms`

/** Our own simulated server, in a separate process. */
export async function startServer(cwd: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [assay, 'models', 'serve-sim', '--port', '0', '--keyless', '--json'], { cwd })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, address: JSON.parse(String(line)).address }
}

export async function timed(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work
  return performance.now() - started
}

export async function withSdk(address: string): Promise<void> {
  const provider = createOpenAICompatible({ name: 'sim', baseURL: address, includeUsage: true })
  const model = provider('sim/small')
  await Promise.all(
    Array.from({ length: calls }, (_, seed) =>
      generateText({ model, prompt, seed, maxOutputTokens: 200, maxRetries: 0 }),
    ),
  )
}

/** Permits everything: the cost of limits is measured with the engine. */
const permits: Permits = { acquire: async ask => ({ id: 0, ask }), settle: () => {} }

export async function withAssay(address: string, folder: string | null, limits: Permits = permits): Promise<void> {
  const settings: ModelSettings = {
    small: { provider: 'openai-compatible', model: 'sim/small', address, price: [{ above: 0, input: 1, output: 1 }] },
  }
  const trace = folder === null ? null : traceIn(folder)
  const client = openModels({ env: {}, settings }).client({ permits: limits, seed: 1, trace })
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: calls }, (_, seed) => client.call({ ...call, seed }, signal)))
  await trace?.close()
}

const call = {
  model: 'small',
  messages: [{ role: 'user', content: prompt }],
  max_output_tokens: 200,
  purpose: 'answer',
} as const

const traceIn = (folder: string): RunTrace =>
  new RunTrace({ path: () => join(folder, 'trace.jsonl'), id: 'bench', content: true, redact: text => text })

/** Time of a simulated call with a trace minus without: there is no network to hide it. */
async function tracingMs(folder: string): Promise<number> {
  const many = 3000
  const run = async (trace: RunTrace | null): Promise<number> => {
    const client = openModels({ env: {} }).client({ permits, seed: 1, trace })
    const { signal } = new AbortController()
    const started = performance.now()
    for (let seed = 0; seed < many; seed++) await client.call({ ...call, model: 'sim/small', seed }, signal)
    await trace?.close()
    return performance.now() - started
  }
  const least = await alternate(3, { plain: () => run(null), traced: () => run(traceIn(folder)) })
  return Math.max(0, least.traced - least.plain) / many
}
