import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { chatCompletion, startServer } from '../models/support.ts'
import { startAssay, summaryOf } from '../support/assay.ts'
import { changeJournal, journalRows } from '../support/journal.ts'
import { needsProc } from '../support/needs.ts'
import { promptExperiment } from '../targets/prompt/support.ts'

/** Eight questions, four at a time, by a real `assay run`. Two are answered and paid; the next four wait for `answerAll`. */
async function halfAsked(env: Readonly<Record<string, string>> = {}) {
  needsProc()
  const held: (() => void)[] = []
  let holds = true
  const server = await startServer((response, nth) => {
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('ok'))
    if (holds && nth > 2) held.push(answer)
    else answer()
  })
  const e = promptExperiment(
    `
target: { kind: prompt, prompts: { p: "Question {{n}}" }, models: [m], tests: cases.csv, max_output_tokens: 100, assert: [{ type: equals, value: ok }] }
models: { m: { provider: openai-compatible, address: "${server.address}", timeout: 600s, price: { input: 10, output: 10 } } }
limits: { jobs: 4, budget_usd: 10 }
`,
    { 'cases.csv': `n\n${[1, 2, 3, 4, 5, 6, 7, 8].join('\n')}\n` },
  )
  const first = startAssay(['run', '--json'], { cwd: e.cwd, env })
  let said = ''
  first.child.stderr?.on('data', chunk => {
    said += chunk
  })
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(4)
  const completed = () => journalRows(e.dir, "SELECT count(*) AS n FROM runs WHERE outcome = 'completed'")
  await expect.poll(completed, { timeout: 30_000 }).toEqual([{ n: 2 }])
  return {
    ...{ e, server, first, said: () => said },
    answerAll() {
      holds = false
      for (const answer of held.splice(0)) answer()
    },
    /** As if that much time had passed since it last gave a sign of life: the one thing here that is not real. */
    letTimePass: () =>
      changeJournal(
        e.dir,
        'UPDATE workers SET heartbeat_elapsed = heartbeat_elapsed - 100e3, heartbeat_at = heartbeat_at - 100e3',
      ),
    expectExactlyOnce() {
      const counts = journalRows(
        e.dir,
        `SELECT count(*) AS runs, sum(outcome = 'completed') AS completed,
           sum((SELECT count(*) FROM attempts a WHERE a.run_id = r.id AND a.outcome = 'completed' AND NOT a.superseded)) AS attempts
         FROM runs r`,
      )
      expect(counts).toEqual([{ runs: 8, completed: 8, attempts: 8 }])
      const [money] = journalRows<{ spent: number; reserved: number }>(
        e.dir,
        'SELECT spent_usd AS spent, reserved_usd AS reserved FROM experiment',
      )
      expect(money?.reserved).toBeCloseTo(0)
      return money?.spent ?? Number.NaN
    },
  }
}

/** The cost of the first of two calls for the same question, according to its answer. */
const priceOfAnswer = (dir: string): number =>
  journalRows<{ usd: number }>(dir, "SELECT usd FROM ledger WHERE kind = 'charge' AND usd > 0 ORDER BY id LIMIT 1")[0]
    ?.usd ?? Number.NaN

/** A process whose machine has been up for so much longer. */
const later = (seconds: number) => ['unshare', '--time', '--fork', '--kill-child', '--monotonic', String(seconds)]

it('a hung process is ended and its runs are taken over, with paid results kept and calls in progress assumed', async ({
  skip,
}) => {
  if (spawnSync(later(1)[0] ?? '', [...later(1).slice(1), 'true']).status !== 0)
    return skip('this user may not make a time namespace')
  const { e, server, first, said, answerAll, expectExactlyOnce } = await halfAsked({
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
  })
  // The main loop waits for something that never comes.
  const socket = new WebSocket(/ws:\/\/\S+/.exec(said())?.[0] ?? '')
  await new Promise(resolve => socket.addEventListener('open', resolve))
  const expression = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600_000)'
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  answerAll()
  // The journal is as the hung process left it: only the monotonic clock of the others is ahead.
  const statusAfter = async (seconds: number) =>
    summaryOf(await startAssay(['status', e.dir, '--json'], { cwd: e.cwd, within: later(seconds) }).ended)
  expect(await statusAfter(40)).not.toHaveProperty('cut_off')
  expect(await statusAfter(100)).toMatchObject({ cut_off: 4 })
  const next = await startAssay(['run', '--json'], { cwd: e.cwd, within: later(100) }).ended
  expect(next.stdout).toContain(`process ${first.child.pid} on`)
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(summaryOf(next)).toMatchObject({ completed: 8, running: 0 })
  expect(server.requests).toHaveLength(8 + 4)
  expect(expectExactlyOnce()).toBeGreaterThanOrEqual(12 * priceOfAnswer(e.dir) - 1e-9)
})

it('a stopped process keeps its runs: a worker executes the others, and no answer is requested twice', async () => {
  const { e, server, first, answerAll, letTimePass, expectExactlyOnce } = await halfAsked()
  first.child.kill('SIGSTOP')
  letTimePass()
  answerAll()
  const worker = startAssay(['worker', e.dir, '--json'], { cwd: e.cwd })
  await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBe(8)
  first.child.kill('SIGCONT')
  expect(summaryOf(await first.ended)).toMatchObject({ completed: 8 })
  expect(await worker.ended).toMatchObject({ status: 0 })
  expect(server.requests).toHaveLength(8)
  expect(expectExactlyOnce()).toBeCloseTo(8 * priceOfAnswer(e.dir))
})

it('a process taken for dead by another container continues: its late answers are paid and change nothing', async ({
  skip,
}) => {
  if (spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status !== 0)
    return skip('this user may not make a pid namespace')
  const { e, server, first, answerAll, letTimePass, expectExactlyOnce } = await halfAsked()
  first.child.kill('SIGSTOP')
  letTimePass()
  const next = startAssay(['run', '--json'], {
    cwd: e.cwd,
    within: ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  })
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(6 + 4)
  first.child.kill('SIGCONT')
  answerAll()
  expect(summaryOf(await next.ended)).toMatchObject({ completed: 8 })
  await first.ended
  // Two were asked again before the late answers came; the others may have found them in the cache.
  expect([10, 11, 12]).toContain(server.requests.length)
  expect(expectExactlyOnce()).toBeGreaterThanOrEqual(server.requests.length * priceOfAnswer(e.dir) - 1e-9)
})
