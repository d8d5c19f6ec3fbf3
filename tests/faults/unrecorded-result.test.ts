import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { changeJournal, journalRows } from '../support/journal.ts'

/** As if assay had been killed when the attempt was over and its files were written, but before the journal knew. */
const forget = `
UPDATE runs SET state = 'running', outcome = NULL, fingerprint = NULL, cut_at = NULL, settled = NULL;
UPDATE attempts SET ended_at = NULL, outcome = NULL, facts = NULL, wall_s = NULL, outputs = '[]';
DELETE FROM metrics;
`

function experiment(program: string, limits = '{ jobs: 1 }') {
  const cwd = folderWith({
    'program.sh': `#!/bin/sh\n${program}\n`,
    'e.yaml': `name: e\ntarget: { kind: command, command: [./program.sh] }\nlimits: ${limits}\nmetrics: { m: {} }\n`,
  })
  const dir = join(cwd, 'results/e')
  return {
    cwd,
    dir,
    run: async (...args: string[]) => summaryOf(await assay(['run', 'e.yaml', '--json', ...args], { cwd })),
    forget: () => changeJournal(dir, forget),
    outcomes: () => journalRows(dir, 'SELECT number, outcome FROM attempts ORDER BY id'),
  }
}

it('a finished attempt missing in the journal counts, with its metrics', async () => {
  const e = experiment(`echo '{"m": 7}' >> "$ASSAY_METRICS_FILE"`)
  await e.run()
  e.forget()
  expect(await e.run()).toMatchObject({ completed: 1, attempts: 1 })
  expect(journalRows(e.dir, 'SELECT name, value FROM metrics')).toEqual([{ name: 'm', value: 7 }])
})

it('a program’s own result.json is kept, and meta.json has the outcome of the attempt', async () => {
  const e = experiment('echo mine > "$ASSAY_RUN_DIR/result.json"')
  await e.run()
  e.forget()
  expect(await e.run()).toMatchObject({ completed: 1, attempts: 1 })
  const [file = ''] = globSync(join(e.dir, 'runs/*/result.json'))
  expect(readFileSync(file, 'utf8')).toBe('mine\n')
})

it('a timeout missing in the journal still counts, and the run is repeated when it is raised', async () => {
  const e = experiment('[ -e go ] || exec sleep 1000000', '{ timeout: 100ms, grace: 20ms }')
  await e.run()
  e.forget()
  expect(await e.run()).toMatchObject({ timed_out: 1, attempts: 1 })
  expect(journalRows(e.dir, 'SELECT cut_at FROM runs')).toEqual([{ cut_at: 100 }])
  e.forget()
  writeFileSync(join(e.cwd, 'go'), '')
  expect(await e.run('--timeout', '1h')).toMatchObject({ completed: 1, attempts: 2 })
  expect(e.outcomes()).toEqual([
    { number: 1, outcome: 'timed_out' },
    { number: 2, outcome: 'completed' },
  ])
})
