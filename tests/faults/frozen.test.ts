import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chatCompletion, startServer } from '../models/support.ts'
import { folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { promptExperiment } from '../targets/prompt/support.ts'

/** Stops the process until `meanwhile` has happened and its deadline of four seconds is over. On a busy machine it takes a while until it is stopped. */
async function frozen(
  child: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): boolean },
  meanwhile: () => void,
) {
  child.kill('SIGSTOP')
  const since = performance.now()
  meanwhile()
  await expect.poll(() => performance.now() - since, { timeout: 60_000 }).toBeGreaterThan(5_000)
  child.kill('SIGCONT')
}

it('answers that arrived while assay was stopped are read before timeouts: nothing is asked or paid twice', async () => {
  const answers: (() => void)[] = []
  const server = await startServer(response => {
    answers.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('ok')))
  })
  const e = promptExperiment(
    `
target: { kind: prompt, prompts: { p: "Question {{n}}" }, models: [m], tests: cases.csv, max_output_tokens: 100, assert: [{ type: equals, value: ok }] }
models: { m: { provider: openai-compatible, address: "${server.address}", timeout: 4s, price: { input: 10, output: 10 } } }
limits: { jobs: 6, budget_usd: 10 }
`,
    { 'cases.csv': `n\n${[1, 2, 3, 4, 5, 6].join('\n')}\n` },
  )
  const started = startAssay(['run', '--json'], { cwd: e.cwd })
  await expect.poll(() => answers.length, { timeout: 100_000 }).toBe(6)
  await frozen(started.child, () => {
    for (const answer of answers) answer()
  })
  expect(summaryOf(await started.ended)).toMatchObject({ completed: 6, attempts: 6 })
  expect(server.requests).toHaveLength(6)
  expect(journalRows(e.dir, "SELECT count(*) AS n FROM ledger WHERE kind = 'assumed'")).toEqual([{ n: 0 }])
})

it('functions and programs that ended while assay was stopped have not timed out', async () => {
  const folders = [
    folderWith({
      'experiment.yaml': 'name: e\ntarget: { kind: function, module: ./work.mjs }\nlimits: { timeout: 4s }\n',
      'work.mjs': `import { existsSync, writeFileSync } from 'node:fs'
export default async () => {
  writeFileSync('begun', '')
  while (!existsSync('go')) await new Promise(resolve => setTimeout(resolve, 5))
  return { done: 1 }
}
`,
    }),
    folderWith({
      'experiment.yaml': 'name: p\ntarget: { kind: command, command: [./program.sh] }\nlimits: { timeout: 4s }\n',
      'program.sh': '#!/bin/sh\ntouch begun\nwhile [ ! -e go ]; do sleep 0.01; done\n',
    }),
  ]
  const ended = folders.map(async cwd => {
    const started = startAssay(['run', '--json'], { cwd })
    await expect.poll(() => existsSync(join(cwd, 'begun')), { timeout: 100_000, interval: 5 }).toBe(true)
    await frozen(started.child, () => writeFileSync(join(cwd, 'go'), ''))
    return summaryOf(await started.ended)
  })
  for (const summary of await Promise.all(ended)) expect(summary).toMatchObject({ completed: 1 })
})
