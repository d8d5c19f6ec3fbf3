/** A way to break assay: what stands in a file is replaced. */
export interface Defect {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Defects that chaos must find. Each breaks one promise. */
export const defects: readonly Defect[] = [
  {
    name: 'a result of an earlier attempt counts for the next',
    file: 'src/execute/local.ts',
    from: 'return result?.token === attempt.token ? result : null',
    to: 'return result',
  },
  {
    name: 'a result on disk does not count',
    file: 'src/execute/local.ts',
    from: 'return result?.token === attempt.token ? result : null',
    to: 'return result?.token === attempt.token ? null : null',
  },
  {
    name: 'orphans live on',
    file: 'src/execute/local.ts',
    from: 'lost.map(({ token, pid, startTime }) => ({ token, pid, startTime })),',
    to: '[],',
  },
  {
    name: 'a stopped process counts as dead',
    file: 'src/engine/status/experiment-status.ts',
    from: 'if (countsAlike(worker)) return isAlive(identityOf(worker)) && !isHung(worker, { elapsed })',
    to: 'if (countsAlike(worker)) return isAlive(identityOf(worker)) && readProcess(worker.pid)?.stopped === false',
  },
  {
    name: 'strays live on',
    file: 'src/process/end.ts',
    from: 'if (attempt.pid === null || found.length === 0) return []',
    to: 'if (attempt.pid !== -1) return []',
  },
  {
    name: 'a reservation is released when the call is sent',
    file: 'src/record/runs/ledger.ts',
    from: "journal.run('UPDATE attempts SET reserved_usd = reserved_usd + ? WHERE id = ?', call.usd, row.id)",
    to: 'release(journal, row.id, call.usd, call.now)',
  },
  {
    name: 'reservations do not count against the budget',
    file: 'src/record/runs/ledger.ts',
    from: 'totals.spent_usd + totals.reserved_usd + boundUsd <= budgetUsd + roundingUsd',
    to: 'totals.spent_usd + boundUsd <= budgetUsd + roundingUsd',
  },
  {
    name: 'calls of a lost attempt cost nothing',
    file: 'src/record/runs/ledger.ts',
    from: 'const most = booked + (paysByCall ? attempt.open_usd : attempt.reserved_usd)',
    to: 'const most = booked + (paysByCall ? 0 : attempt.reserved_usd)',
  },
  {
    name: 'each process has a rate window of its own',
    file: 'src/engine/permits/rate-desk.ts',
    from: 'counter.isShared ||= this.#rates[key.provider] !== undefined',
    to: 'counter.isShared ||= false',
  },
  {
    name: 'rate windows go by the time of day',
    file: 'src/engine/permits/permit-office.ts',
    from: '      round.elapsed,\n      waiting.map',
    to: '      round.now,\n      waiting.map',
  },
  {
    name: 'waits go by the time of day',
    file: 'src/util/time.ts',
    from: '({ now: clock.now(), elapsed: clock.elapsed() })',
    to: '({ now: clock.now(), elapsed: clock.now() })',
  },
  {
    name: 'a deadline is over before what came is read',
    file: 'src/util/system-clock.ts',
    from: 'else if (clock.elapsed() - due > lateMs) wait(Math.min(ms, secondChanceMs))\n      else setImmediate(() => isForgotten || callback())',
    to: 'else callback()',
  },
  {
    name: 'repair takes results in twice',
    file: 'src/record/runs/take-in.ts',
    from: "new Set(journal.all<{ token: string }>('SELECT token FROM attempts').map(({ token }) => token))",
    to: "new Set(journal.all<{ token: string }>('SELECT token FROM attempts WHERE 0').map(({ token }) => token))",
  },
]

/** Throws where the text is not there exactly once: then the defect has to be written anew. */
export function plant({ name, file, from, to }: Defect, text: string): string {
  const [before, after, ...more] = text.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${name}" can't be planted: ${file} does not have its text exactly once`)
  return `${before}${to}${after}`
}
