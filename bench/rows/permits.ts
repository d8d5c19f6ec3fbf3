import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Limits, noRunCaps } from '../../src/define/limits.ts'
import { experimentFrom } from '../../src/define/load-experiment.ts'
import type { Permits } from '../../src/define/permits.ts'
import { nothingSpent } from '../../src/define/run.ts'
import { PermitOffice } from '../../src/engine/permits/permit-office.ts'
import { writeDefinition } from '../../src/record/journal/experiment-row.ts'
import { Journal } from '../../src/record/journal/journal.ts'
import { addWorker } from '../../src/record/runs/workers.ts'
import { targets } from '../../src/targets/registry.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import { alternate, inTemporaryFolder } from '../measure.ts'
import type { Bench } from '../row.ts'
import { calls, startServer, timed, withAssay, withSdk } from './models.ts'

/** The overhead of limits and ledger, for calls that each reserve in the journal, on this disk. */
export const permitsBench: Bench = {
  name: 'permits',
  run: () =>
    inTemporaryFolder(async folder => {
      const { permits, close } = openPermits(folder)
      const { child, address } = await startServer(folder)
      try {
        const least = await alternate(5, {
          sdk: () => timed(withSdk(address)),
          assay: () => timed(withAssay(address, folder, permits)),
        })
        const overhead = (least.assay - least.sdk) / calls
        const waited = await waitPerCall(permits)
        return [
          {
            work: `${calls} concurrent calls through client, rate, budget, ledger and trace, over the AI SDK alone`,
            result: `${overhead.toFixed(2)} ms more per call (AI SDK ${(least.sdk / calls).toFixed(2)} ms, assay ${(least.assay / calls).toFixed(2)} ms)`,
            mustReach: '≤ 3 ms',
            isReached: overhead <= 3,
          },
          {
            work: `4000 calls of 50 ms, ${calls} at a time: what each takes longer for its permit`,
            result: `${waited.toFixed(2)} ms`,
            mustReach: '≤ 3 ms',
            isReached: waited <= 3,
          },
        ]
      } finally {
        close()
        child.kill()
        await once(child, 'close')
      }
    }),
}

/** A permit office as in a run: a budget without a cap for each run, and a sufficient rate. */
export function openPermits(folder: string): { readonly permits: Permits; close(): void } {
  const journal = Journal.open(join(folder, 'journal.db'))
  const identity = { host: 'bench', bootId: 'b', pidNamespace: 'n', pid: 1, startTime: '1' }
  const workerId = addWorker(journal, { ...identity, kind: 'run', slots: 1 }, { now: 0, elapsed: 0 })
  const written = { name: 'bench', target: { kind: 'command', command: ['true'] } }
  const experiment = experimentFrom(written, { targets, cwd: folder, folder })
  writeDefinition(journal, experiment, { hash: 'f', parts: {} }, 0)
  journal.run(
    "INSERT INTO runs (key, name, spec, why, generation, position, state) VALUES ('k', 'n', '{}', '', 0, 0, 'running')",
  )
  journal.run(
    "INSERT INTO attempts (run_id, number, token, worker_id, fingerprint, started_at) VALUES (1, 1, 't', ?, 'f', 0)",
    workerId,
  )
  const rate = { rpm: 1e7, tpm: 1e10, concurrency: null }
  const limits: Limits = { ...experiment.limits, budget_usd: 1000, rate: { sim: rate, 'openai-compatible': rate } }
  const office = new PermitOffice({
    ...{ journal, workerId, clock: systemClock, boot: 'b', random: Math.random },
    limits: () => limits,
    onRateDecision: () => undefined,
    stop: () => undefined,
  })
  const run = { key: 'k', name: 'n', params: {}, ablation: null, flags: [], block: {}, replicate: 1, seed: 1 }
  const unlimited = { timeout_ms: null, run_budget_usd: null, ...noRunCaps, spent: nothingSpent }
  const attempt = { attempt: 1, token: 't', started_at: 0, grace_ms: 0, mode: 'run', continues: null } as const
  const job = { run, ...attempt, ...unlimited }
  return {
    permits: office.permitsOf(job),
    close() {
      office.close()
      journal.close()
    },
  }
}

async function waitPerCall(permits: Permits): Promise<number> {
  const many = 4000
  const { signal } = new AbortController()
  let left = many
  let waited = 0
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const asked = performance.now()
      const permit = await permits.acquire({ provider: 'sim', key: 'k', model: 'm', tokens: 100, usd: 0.001 }, signal)
      waited += performance.now() - asked
      await setTimeout(20 + Math.random() * 60)
      permits.settle(permit, { tokens: 50, usd: 0.0005, rate_limited: null })
    }
  }
  await Promise.all(Array.from({ length: calls }, caller))
  return waited / many
}
