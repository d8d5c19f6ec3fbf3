import { DatabaseSync } from 'node:sqlite'

// Finds the errors of an episode of chaos by comparing two independent records: what runs and the model server
// wrote themselves, outside of assay, and the journal. Deliberately imports nothing from assay.

/** The log of the runs' programs: one line per event, in order. */
export interface Told {
  readonly what: 'begun' | 'over' | 'failing' | 'overlap'
  readonly run: string
  readonly token: string
}

export interface Request {
  /** Milliseconds of a monotonic clock. */
  readonly at: number
  /** The number of the run that asks comes first in it. */
  readonly question: string
  readonly billedUsd: number
  /** How much of it is more than was asked for. */
  readonly excessUsd?: number
}

export interface ModelFacts {
  readonly requests: readonly Request[]
  /** The part of a run that has the number of its question: `block.case`. */
  readonly run: string
  readonly budgetUsd: number
  /** Whether the server billed more than was asked for now and then: an overrun, which may exceed the budget. */
  readonly overbills: boolean
  /** Whether no process was killed and no answer cut off: then every answer counts, and its cost is known. */
  readonly areAnswersKept?: boolean
  /** null: no request had to wait. */
  readonly rate: {
    readonly rpm: number
    /** Until when it was in force. */
    readonly until: number
    /** Requests that may arrive in a later minute than they were permitted in, after a process was stopped. */
    readonly late: number
  } | null
}

export const toldIn = (text: string): readonly Told[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [what, run = '', token = ''] = line.split(' ')
      if (what !== 'begun' && what !== 'over' && what !== 'failing' && what !== 'overlap')
        throw new Error(`the history has "${line}"`)
      return { what, run, token }
    })

export interface ProgramFacts {
  readonly runs: number
  /** Tokens of attempts whose result is on disk, as it was written. */
  readonly results?: ReadonlySet<string>
  /** Whether no process was killed and every write succeeded: then no attempt is lost. */
  readonly areAttemptsKept?: boolean
  /** The part of a run by which its programs name it; default `params.n`. */
  readonly key?: string
}

/** Checks an experiment whose programs log their events, after its last call. Empty if there are no errors. */
export function checkRuns(journalFile: string, told: readonly Told[], facts: ProgramFacts): readonly string[] {
  const { runs, key: named = 'params.n' } = facts
  return inJournal(journalFile, rows => {
    // An attempt that only scores completes the work of the one before it.
    const finished = rows<{ key: string; state: string; outcome: string; completed: number; token: string | null }>(
      `SELECT r.spec ->> '$.${named}' AS key, r.state, r.outcome,
         (SELECT count(*) FROM attempts a WHERE a.run_id = r.id AND a.outcome = 'completed' AND a.superseded = 0) AS completed,
         (SELECT w.token FROM attempts w WHERE w.run_id = r.id AND w.mode <> 'score' AND w.id <=
            (SELECT a.id FROM attempts a WHERE a.run_id = r.id AND a.outcome = 'completed' AND a.superseded = 0)
          ORDER BY w.id DESC LIMIT 1) AS token
       FROM runs r`,
    )
    const isOver = new Set(told.filter(({ what }) => what === 'over').map(({ token }) => token))
    const lastBegun = new Map(told.filter(({ what }) => what === 'begun').map(({ run, token }) => [run, token]))
    const findings = [
      ...(finished.length === runs ? [] : [`${finished.length} of ${runs} runs are in the journal`]),
      ...told
        .filter(({ what }) => what === 'overlap')
        .map(({ run }) => `two attempts of run ${run} were alive at once`),
      ...repeated(told),
      ...misjudged(rows, told, facts),
      ...commonFindings(rows),
    ]
    for (const { key, state, outcome, completed, token } of finished) {
      if (state !== 'finished' || outcome !== 'completed') findings.push(`run ${key} is ${state} (${outcome})`)
      if (completed !== 1) findings.push(`run ${key} has ${completed} completed attempts`)
      if (token === null) continue
      if (!isOver.has(token)) findings.push(`run ${key} counts as completed by an attempt that never came to its end`)
      if (lastBegun.get(String(key)) !== token) findings.push(`run ${key} was begun again after it was completed`)
    }
    return findings
  })
}

/** Checks an experiment without logs: each run was completed once. */
export const checkFinished = (journalFile: string, runs: number): readonly string[] =>
  inJournal(journalFile, rows => {
    const finished = rows<{ name: string; state: string; outcome: string; completed: number }>(
      `SELECT r.spec ->> '$.name' AS name, r.state, r.outcome,
         (SELECT count(*) FROM attempts a WHERE a.run_id = r.id AND a.outcome = 'completed' AND a.superseded = 0) AS completed
       FROM runs r`,
    )
    return [
      ...(finished.length === runs ? [] : [`${finished.length} of ${runs} runs are in the journal`]),
      ...finished
        .filter(({ state, outcome, completed }) => state !== 'finished' || outcome !== 'completed' || completed !== 1)
        .map(one => `run ${one.name} is ${one.state} (${one.outcome}), with ${one.completed} completed attempts`),
    ]
  })

/** Attempts that count as something they were not. */
function misjudged(rows: Rows, told: readonly Told[], facts: ProgramFacts): readonly string[] {
  const attempts = rows<{ token: string; outcome: string; exit_code: number | null; error_class: string | null }>(
    "SELECT token, outcome, facts ->> '$.exit_code' AS exit_code, facts ->> '$.error_class' AS error_class FROM attempts",
  )
  const hasFailed = new Set(told.filter(({ what }) => what === 'failing').map(({ token }) => token))
  const isLost = attempts.filter(({ error_class }) => error_class === 'lost')
  return [
    ...attempts
      .filter(({ outcome, exit_code, token }) => outcome === 'failed' && exit_code === 3 && !hasFailed.has(token))
      .map(({ token }) => `attempt ${token} counts as failed, and its program did not fail`),
    ...isLost
      .filter(({ token }) => facts.results?.has(token))
      .map(({ token }) => `attempt ${token} counts as lost, and its result is on disk`),
    ...(facts.areAttemptsKept && isLost.length > 0
      ? [`${isLost.length} attempts were lost, and nobody was killed`]
      : []),
  ]
}

/** An attempt is made once. */
function repeated(told: readonly Told[]): readonly string[] {
  const begun = told.filter(({ what }) => what === 'begun').map(({ run, token }) => `${run} ${token}`)
  return begun.filter((one, index) => begun.indexOf(one) !== index).map(one => `attempt ${one} was begun twice`)
}

/** Of an experiment that asks models. */
export function checkMoney(journalFile: string, facts: ModelFacts): readonly string[] {
  const { requests, run, budgetUsd, overbills, areAnswersKept, rate } = facts
  return inJournal(journalFile, rows => {
    const billed = requests.reduce((sum, one) => sum + one.billedUsd, 0)
    const [totals] = rows<{ spent: number; overrun: number; reserved: number }>(
      'SELECT spent_usd AS spent, overrun_usd AS overrun, reserved_usd AS reserved FROM experiment',
    )
    const { spent = 0, overrun = 0, reserved = 0 } = totals ?? {}
    const findings = [...commonFindings(rows)]
    findings.push(...unexplained(rows, requests, run))
    if (spent > budgetUsd + overrun + rounding)
      findings.push(`$${spent} was spent of a budget of $${budgetUsd}, with an overrun of $${overrun}`)
    if (billed > budgetUsd + overrun + rounding)
      findings.push(`the server billed $${billed}; the budget was $${budgetUsd}, with an overrun of $${overrun}`)
    if (Math.abs(reserved) > rounding) findings.push(`$${reserved} is still set aside`)
    if (!overbills && overrun > rounding) findings.push(`an overrun of $${overrun} that no bill explains`)
    if (areAnswersKept) findings.push(...thrownAway(rows, requests))
    if (rate === null) return findings
    const most = mostInAMinute(requests.filter(({ at }) => at < rate.until))
    if (most > rate.rpm + rate.late)
      findings.push(`${most} requests came in a minute; ${rate.rpm} are allowed, and ${rate.late} may be late`)
    return findings
  })
}

/**
 * Run by run, since what is too much in one must not hide what another lacks. Costs that are known are the bills of some
 * answers, to the cent; the bills of all others are covered by what was assumed. Only what the server billed beyond what
 * was asked for may be missing there: of a call whose answer never came, nobody else can know of it.
 */
function unexplained(rows: Rows, requests: readonly Request[], run: string): readonly string[] {
  const lines = rows<{ run: string; known: number; assumed: number }>(
    `WITH line AS (
       SELECT a.run_id, l.usd, l.kind = 'charge' AND (l.calls IS NOT NULL OR NOT EXISTS (
           SELECT 1 FROM ledger x WHERE x.attempt_id = l.attempt_id AND x.kind = 'assumed')) AS is_known
       FROM ledger l JOIN attempts a ON a.id = l.attempt_id WHERE l.kind IN ('charge', 'assumed'))
     SELECT r.spec ->> '$.${run}' AS run, coalesce(sum(usd) FILTER (WHERE is_known), 0) AS known,
       coalesce(sum(usd) FILTER (WHERE NOT is_known), 0) AS assumed
     FROM runs r LEFT JOIN line ON line.run_id = r.id GROUP BY r.id`,
  )
  const booked = new Map(lines.map(line => [numberIn(line.run), line]))
  const bills = Map.groupBy(requests, ({ question }) => numberIn(question))
  return [...new Set([...booked.keys(), ...bills.keys()])].flatMap(number => {
    const { known = 0, assumed = 0 } = booked.get(number) ?? {}
    const billed = (bills.get(number) ?? []).filter(({ billedUsd }) => billedUsd > 0)
    const rest = leastUncovered(billed, known)
    if (rest !== null && rest <= assumed + rounding) return []
    const list = billed.map(({ billedUsd }) => `$${billedUsd}`).join(', ')
    const reason = rest === null ? 'which no answers add up to' : `which leaves at least $${rest}`
    return [
      `run ${number}: the server billed ${list || 'nothing'}, the ledger charges $${known}, ${reason}, and assumes $${assumed}`,
    ]
  })
}

/**
 * What the answers that the ledger does not know must have cost at least, as it could have been foreseen; the least of all
 * choices of answers that add up to what it knows. null: no choice does.
 */
function leastUncovered(bills: readonly Request[], knownUsd: number): number | null {
  const units = (usd: number): number => Math.round(usd * 1e6)
  const foreseen = ({ billedUsd, excessUsd = 0 }: Request): number => units(billedUsd) - units(excessUsd)
  // By what chosen answers add up to: the most of it that could be foreseen.
  let sums = new Map([[0, 0]])
  for (const bill of bills) {
    const next = new Map(sums)
    for (const [sum, most] of sums) {
      const total = sum + units(bill.billedUsd)
      if (total <= units(knownUsd)) next.set(total, Math.max(next.get(total) ?? 0, most + foreseen(bill)))
    }
    sums = next
  }
  const most = sums.get(units(knownUsd))
  return most === undefined ? null : (bills.reduce((sum, bill) => sum + foreseen(bill), 0) - most) / 1e6
}

const numberIn = (text: string): string => /\d+/.exec(text)?.[0] ?? text

/** Answers that were paid for and asked for again. */
function thrownAway(rows: Rows, requests: readonly Request[]): readonly string[] {
  const paid = requests.filter(({ billedUsd }) => billedUsd > 0).map(({ question }) => question)
  const again = new Set(paid.filter((question, index) => paid.indexOf(question) !== index))
  const [assumed] = rows<{ n: number }>("SELECT count(*) AS n FROM ledger WHERE kind = 'assumed'")
  return [
    ...[...again].map(question => `question ${question} was answered, and asked again`),
    ...(assumed?.n === 0 ? [] : [`${assumed?.n} costs are assumed, and every answer came`]),
  ]
}

/** Whether the journal says that the budget is used up. */
export const isBudgetUsed = (journalFile: string): boolean =>
  inJournal(
    journalFile,
    rows =>
      rows("SELECT 1 FROM sqlite_master WHERE name = 'events'").length > 0 &&
      rows("SELECT 1 FROM events WHERE kind = 'stopped' AND data LIKE '%budget%' LIMIT 1").length > 0,
  )

/** Checks an experiment that has used up its budget: it reports this, and the rest would not pay for another call. */
export function checkBudgetEnd(journalFile: string, budgetUsd: number): readonly string[] {
  return inJournal(journalFile, rows => {
    const [stop] = rows<{ data: string }>("SELECT data FROM events WHERE kind = 'stopped' ORDER BY id DESC LIMIT 1")
    const [money] = rows<{ spent: number; most: number }>(
      "SELECT spent_usd AS spent, (SELECT max(usd) FROM ledger WHERE kind = 'reserve') AS most FROM experiment",
    )
    const { spent = 0, most = 0 } = money ?? {}
    return [
      ...(stop?.data.includes('budget') === true ? [] : [`the budget is used up, the reason is ${stop?.data}`]),
      ...(budgetUsd - spent < most + rounding ? [] : [`it stopped with $${budgetUsd - spent} left`]),
    ]
  })
}

/** How many calls the journal has permitted in the last minute. */
export const permittedInJournal = (journalFile: string): number =>
  inJournal(journalFile, rows => {
    const isThere = rows("SELECT 1 FROM sqlite_master WHERE name = 'rates'").length > 0
    const sql =
      "SELECT sum(second.value ->> '$.requests') AS n FROM rates, json_each(rates.state, '$.seconds') AS second"
    return isThere ? (rows<{ n: number | null }>(sql)[0]?.n ?? 0) : 0
  })

const rounding = 1e-6

function mostInAMinute(requests: readonly Request[]): number {
  const times = requests.map(({ at }) => at).sort((a, b) => a - b)
  let first = 0
  let most = 0
  times.forEach((at, index) => {
    while ((times[first] ?? at) <= at - 60_000) first++
    most = Math.max(most, index - first + 1)
  })
  return most
}

type Rows = <Row>(sql: string) => Row[]

function commonFindings(rows: Rows): readonly string[] {
  const [damage] = rows<{ integrity_check: string }>('PRAGMA integrity_check')
  const [open] = rows<{ n: number }>('SELECT count(*) AS n FROM attempts WHERE ended_at IS NULL')
  const [sums] = rows<{ set_aside: number; spent: number; reserved: number; total: number }>(
    `SELECT coalesce((SELECT sum(CASE kind WHEN 'reserve' THEN usd WHEN 'release' THEN -usd ELSE 0 END) FROM ledger), 0) AS set_aside,
            coalesce((SELECT sum(usd) FROM ledger WHERE kind IN ('charge', 'assumed')), 0) AS spent,
            reserved_usd AS reserved, spent_usd AS total FROM experiment`,
  )
  const negative = rows<{ n: number }>('SELECT count(*) AS n FROM attempts WHERE wall_s < 0')[0]?.n ?? 0
  return [
    ...(damage?.integrity_check === 'ok' ? [] : [`the journal is damaged: ${damage?.integrity_check}`]),
    ...(open?.n === 0 ? [] : [`${open?.n} attempts have no end`]),
    ...(negative === 0 ? [] : [`${negative} attempts took less than no time`]),
    ...(sums !== undefined && Math.abs(sums.set_aside - sums.reserved) > rounding
      ? [`the ledger has $${sums.set_aside} set aside, the total says $${sums.reserved}`]
      : []),
    ...(sums !== undefined && Math.abs(sums.spent - sums.total) > rounding
      ? [`the ledger adds up to $${sums.spent}, the total says $${sums.total}`]
      : []),
  ]
}

function inJournal<T>(file: string, read: (rows: Rows) => T): T {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return read(sql => database.prepare(sql).all() as never[])
  } finally {
    database.close()
  }
}
