import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A way to break assay: replaces a text that occurs once in its source. */
export interface Defect {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** Defects that chaos must find. Each breaks one promise. */
export const defects: readonly Defect[] = [
  {
    name: 'a result of an earlier attempt counts for the next',
    from: 'return result?.token === attempt.token ? result : null',
    to: 'return result',
  },
  {
    name: 'a result on disk does not count',
    from: 'return result?.token === attempt.token ? result : null',
    to: 'return result?.token === attempt.token ? null : null',
  },
  {
    name: 'orphans live on',
    from: 'lost.map(({ token, pid, startTime }) => ({ token, pid, startTime })),',
    to: '[],',
  },
  {
    name: 'a stopped process counts as dead',
    from: 'if (countsAlike(worker)) return isAlive(identityOf(worker)) && !isHung(worker, { elapsed })',
    to: 'if (countsAlike(worker)) return isAlive(identityOf(worker)) && readProcess(worker.pid)?.stopped === false',
  },
  {
    name: 'strays live on',
    from: 'if (younger.length === 0 || !areOthersUnderWay(attempt.pid)) return younger',
    to: 'if (younger.length >= 0) return []',
  },
  {
    name: 'a reservation is released when the call is sent',
    from: "journal.run('UPDATE attempts SET reserved_usd = reserved_usd + ? WHERE id = ?', call.usd, row.id)",
    to: 'release(journal, row.id, call.usd, call.now)',
  },
  {
    name: 'reservations do not count against the budget',
    from: 'totals.spent_usd + totals.reserved_usd + boundUsd <= budgetUsd + roundingUsd',
    to: 'totals.spent_usd + boundUsd <= budgetUsd + roundingUsd',
  },
  {
    name: 'calls of a lost attempt cost nothing',
    from: 'const most = booked + (paysByCall ? attempt.open_usd : attempt.reserved_usd)',
    to: 'const most = booked + (paysByCall ? 0 : attempt.reserved_usd)',
  },
  {
    name: 'a charge in nine is forgotten',
    from: '  const booked = attempt.cost_usd ?? 0\n  const aboveCap',
    to: '  const booked = attempt.cost_usd ?? 0\n  if (attempt.id % 9 === 0) return\n  const aboveCap',
  },
  {
    name: 'an answer is booked at no more than was set aside',
    from: 'const { kind, usd, purpose = null, model = null, calls = null, tokens } = line',
    to: 'const { kind, purpose = null, model = null, calls = null, tokens } = line\n  const usd = line.usd - line.overrunUsd',
  },
  {
    name: 'each process has a rate window of its own',
    from: 'counter.isShared ||= this.#rates[key.provider] !== undefined',
    to: 'counter.isShared ||= false',
  },
  {
    name: 'rate windows go by the time of day',
    from: '      round.elapsed,\n      waiting.map',
    to: '      round.now,\n      waiting.map',
  },
  {
    name: 'waits go by the time of day',
    from: '({ now: clock.now(), elapsed: clock.elapsed() })',
    to: '({ now: clock.now(), elapsed: clock.now() })',
  },
  {
    name: 'a deadline is over before what came is read',
    from: 'if (now - due > lateMs && standstills++ < mostStandstills) end = Math.max(end, now + awakeMs)',
    to: '',
  },
  {
    name: 'repair takes results in twice',
    from: "new Set(journal.all({ token: text }, 'SELECT token FROM attempts').map(({ token }) => token))",
    to: "new Set(journal.all({ token: text }, 'SELECT token FROM attempts WHERE 0').map(({ token }) => token))",
  },
]

/** The file with the text, and its changed content. Throws unless the text occurs exactly once; then update the defect. */
export function plant({ name, from, to }: Defect, root: string): { readonly file: string; readonly text: string } {
  const found = globSync('src/**/*.ts', { cwd: root }).flatMap(file => {
    const parts = readFileSync(join(root, file), 'utf8').split(from)
    return parts.length === 1 ? [] : [{ file, parts }]
  })
  const [only, ...more] = found
  if (only === undefined || only.parts.length > 2 || more.length > 0)
    throw new Error(`"${name}" can't be planted: its text is not in src/ exactly once`)
  return { file: only.file, text: only.parts.join(to) }
}
