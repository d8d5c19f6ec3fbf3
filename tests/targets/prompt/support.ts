import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { jsonOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'

/** An experiment with prompts in its own folder; `rest` has a test's settings. */
export function promptExperiment(rest: string, files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({ 'experiment.yaml': `name: e\norder: listed\n${rest}`, ...files })
  const dir = join(cwd, 'results/e')
  const place = (env: Readonly<Record<string, string>>) => ({ cwd, env })
  return {
    cwd,
    dir,
    async run(...args: string[]) {
      const ended = await assay(['run', '--json', ...args], place({}))
      return { ...ended, summary: ended.status === 2 ? {} : summaryOf(ended) }
    },
    say: (args: readonly string[], env: Readonly<Record<string, string>> = {}) => assay(args, place(env)),
    /** The metrics of every run, in the order of the plan. */
    metrics: (): Record<string, number>[] =>
      journalRows<{ metrics: string }>(
        dir,
        `SELECT (SELECT json_group_object(m.name, m.value) FROM metrics m WHERE m.attempt_id = r.attempt_id AND m.value IS NOT NULL) AS metrics
         FROM runs r WHERE r.generation = (SELECT generation FROM experiment) ORDER BY r.position, r.id`,
      ).map(row => JSON.parse(row.metrics ?? '{}')),
    outcomes: () =>
      journalRows<{ outcome: string; error_class: string | null; message: string | null; cost_usd: number | null }>(
        dir,
        `SELECT outcome, facts ->> 'error_class' AS error_class, facts ->> 'message' AS message, cost_usd FROM attempts ORDER BY id`,
      ),
    answers: () => readdirSync(join(dir, 'runs')).map(run => jsonOf(join(dir, 'runs', run, 'out/answer.json'))),
    /** Key and fingerprint of every run, sorted. */
    fingerprints: () =>
      journalRows<{ key: string; fingerprint: string }>(dir, 'SELECT key, fingerprint FROM runs ORDER BY key').map(
        ({ key, fingerprint }) => [key, fingerprint],
      ),
    runs: () => readdirSync(join(dir, 'runs')),
  }
}

export const sim = (rules: string, more = ''): string =>
  `models: { sim/m: { price: { input: 1, output: 10 }, ${more} rules: ${rules} } }`
