import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { changeJournal, journalRows } from '../support/journal.ts'
import { checkBudgetEnd, checkMoney, checkRuns, toldIn } from './chaos/checker.ts'
import { defects, plant } from './chaos/defects.ts'
import { episode } from './chaos/episode.ts'

// The short form of `npm run chaos`.
it.for([
  { seed: 7, binds: 'budget', other: 'functions', strays: false, repairs: true },
  { seed: 8, binds: 'rate', other: 'agents', strays: true, repairs: false },
] as const)(
  'kills, stops, clock steps, failing writes and a bad server at once, until the $binds binds: every run is executed once and paid for',
  async (options, { skip }) => {
    if (!existsSync('/usr/bin/flock')) return skip('flock is not installed')
    const { findings, faults, folder, log, isBound } = await episode({
      ...options,
      chaosMs: 3_000,
      pressureMs: 1_000,
      isMild: false,
      runs: 12,
      calls: 40,
    })
    expect(findings, `${folder}\n${log.join('\n')}`).toEqual([])
    expect(Object.values(faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
    expect(isBound).toBe(true)
  },
)

it.each(defects)('defect "$name" can still be planted', defect => {
  expect(plant(defect, join(import.meta.dirname, '../..')).text).not.toContain(defect.from)
})

describe('the checker', () => {
  const kept = { runs: 3, results: new Set<string>(), areAttemptsKept: true }

  /** Three runs, and the logs that their programs would have written. */
  async function finished() {
    const cwd = folderWith({
      'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\nfactors: { n: [1, 2, 3] }\norder: listed\n',
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    const dir = join(cwd, 'results/e')
    const tokens = journalRows<{ token: string }>(dir, 'SELECT token FROM attempts ORDER BY id').map(
      ({ token }) => token,
    )
    const told = tokens.flatMap((token, index) => [`begun ${index + 1} ${token}`, `over ${index + 1} ${token}`])
    return { dir, journal: join(dir, 'journal.db'), told }
  }

  it('reports nothing for correct results', async () => {
    const { journal, told } = await finished()
    expect(checkRuns(journal, toldIn(told.join('\n')), kept)).toEqual([])
  })

  it.each([
    [
      'two completed attempts',
      (told: string[]) => told,
      'INSERT INTO attempts (run_id, number, token, worker_id, fingerprint, started_at, ended_at, outcome) SELECT run_id, 2, token, worker_id, fingerprint, 1, 2, outcome FROM attempts WHERE id = 1',
      'run 1 has 2 completed attempts',
    ],
    [
      'a run that is not there',
      (told: string[]) => told,
      "UPDATE runs SET state = 'ready' WHERE id = 2",
      'run 2 is ready (completed)',
    ],
    ['an overlap', (told: string[]) => [...told, 'overlap 3 x'], '', 'two attempts of run 3 were alive at once'],
    [
      'a run that was made again',
      (told: string[]) => [...told, 'begun 1 other'],
      '',
      'run 1 was begun again after it was completed',
    ],
    [
      'an end that nobody saw',
      (told: string[]) => told.slice(0, -1),
      '',
      'run 3 counts as completed by an attempt that never came to its end',
    ],
  ])('finds %s', async (_, change, sql, finding) => {
    const { dir, journal, told } = await finished()
    if (sql !== '') changeJournal(dir, sql)
    expect(checkRuns(journal, toldIn(change(told).join('\n')), kept)).toContain(finding)
  })

  it('finds exceeded bills, budgets and rates', async () => {
    const { journal } = await finished()
    const requests = Array.from({ length: 4 }, (_, at) => ({ at, question: String((at % 3) + 1), billedUsd: 1 }))
    expect(
      checkMoney(journal, {
        ...{ requests, run: 'params.n', budgetUsd: 3, overbills: false, areAnswersKept: true },
        rate: { rpm: 2, until: 4, late: 1 },
      }),
    ).toEqual([
      'run 1: the server billed $1, $1, the ledger charges $0, which leaves at least $2, and assumes $0',
      'run 2: the server billed $1, the ledger charges $0, which leaves at least $1, and assumes $0',
      'run 3: the server billed $1, the ledger charges $0, which leaves at least $1, and assumes $0',
      'the server billed $4; the budget was $3, with an overrun of $0',
      'question 1 was answered, and asked again',
      '4 requests came in a minute; 2 are allowed, and 1 may be late',
    ])
  })

  describe('compares the ledger of each run with the bills of its calls', () => {
    // Two of run 1, and one of run 2, of which the last was billed at $1 more than was asked for.
    const requests = [
      { at: 0, question: '1', billedUsd: 0.5 },
      { at: 1, question: '1', billedUsd: 0.7 },
      { at: 2, question: '2', billedUsd: 3, excessUsd: 1 },
    ]
    const facts = { requests, run: 'params.n', budgetUsd: 9, overbills: true, areAnswersKept: false, rate: null }
    const said = (run: number, billed: string, ledger: string) => [`run ${run}: the server billed ${billed}, ${ledger}`]

    it.each<[string, readonly (readonly [number, string, number])[], readonly string[]]>([
      [
        'finds nothing where all is charged',
        [
          [1, 'charge', 1.2],
          [2, 'charge', 3],
        ],
        [],
      ],
      [
        'takes what is assumed for answers that never came',
        [
          [1, 'charge', 0.7],
          [1, 'assumed', 0.6],
          [2, 'charge', 3],
        ],
        [],
      ],
      [
        'excuses what only the server can know of such a call',
        [
          [1, 'charge', 1.2],
          [2, 'assumed', 2],
        ],
        [],
      ],
      [
        'but no more than that',
        [
          [1, 'charge', 1.2],
          [2, 'assumed', 1.5],
        ],
        said(2, '$3', 'the ledger charges $0, which leaves at least $2, and assumes $1.5'),
      ],
      [
        'and not of a call whose answer came',
        [
          [1, 'charge', 1.2],
          [2, 'charge', 2],
        ],
        said(2, '$3', 'the ledger charges $2, which no answers add up to, and assumes $0'),
      ],
      [
        'and not for a charge that another run lacks',
        [
          [1, 'charge', 0.5],
          [2, 'assumed', 3],
        ],
        said(1, '$0.5, $0.7', 'the ledger charges $0.5, which leaves at least $0.7, and assumes $0'),
      ],
      [
        'finds a charge that is booked twice',
        [
          [1, 'charge', 2.4],
          [2, 'charge', 3],
        ],
        said(1, '$0.5, $0.7', 'the ledger charges $2.4, which no answers add up to, and assumes $0'),
      ],
      [
        'finds a charge that nobody billed',
        [
          [1, 'charge', 1.2],
          [2, 'charge', 3],
          [3, 'charge', 1],
        ],
        said(3, 'nothing', 'the ledger charges $1, which no answers add up to, and assumes $0'),
      ],
    ])('%s', async (_, lines, findings) => {
      const { dir, journal } = await finished()
      for (const [attempt, kind, usd] of lines)
        changeJournal(
          dir,
          `INSERT INTO ledger (attempt_id, at, kind, usd, calls) VALUES (${attempt}, 1, '${kind}', ${usd}, 1);
           UPDATE experiment SET spent_usd = spent_usd + ${usd}`,
        )
      expect(checkMoney(journal, facts)).toEqual(findings)
    })
  })

  it('finds an overrun without a bill, and a budget reported as used up too early', async () => {
    const { dir, journal } = await finished()
    changeJournal(dir, 'UPDATE experiment SET overrun_usd = 2')
    expect(
      checkMoney(journal, {
        requests: [],
        run: 'params.n',
        budgetUsd: 3,
        overbills: false,
        areAnswersKept: false,
        rate: null,
      }),
    ).toEqual(['an overrun of $2 that no bill explains'])
    expect(
      checkMoney(journal, {
        requests: [],
        run: 'params.n',
        budgetUsd: 3,
        overbills: true,
        areAnswersKept: false,
        rate: null,
      }),
    ).toEqual([])
    expect(checkBudgetEnd(journal, 3)).toEqual([
      'the budget is used up, the reason is undefined',
      'it stopped with $3 left',
    ])
  })
})
