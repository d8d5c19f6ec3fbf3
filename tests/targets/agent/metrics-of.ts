import { join } from 'node:path'
import { journalRows } from '../../support/journal.ts'

/** The metrics of the last attempt of an experiment called `bench`. */
export const metricsOf = (cwd: string): Record<string, number> =>
  Object.fromEntries(
    journalRows<{ name: string; value: number }>(
      join(cwd, 'results', 'bench'),
      'SELECT name, value FROM metrics WHERE value IS NOT NULL AND attempt_id = (SELECT max(id) FROM attempts)',
    ).map(({ name, value }) => [name, value]),
  )
