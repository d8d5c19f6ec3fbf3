import { knownMetrics, type RunRecord } from '../../define/observation.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import { percentText } from '../../util/words.ts'
import type { Style } from '../views/style.ts'

/** Whether each run of the last call passed, identified by what it is about: its text may have changed since. */
export type Verdicts = ReadonlyMap<string, { readonly run: string; readonly about: string; readonly passed: boolean }>

export function verdictsOf(dir: string): Verdicts {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const runs = [...recordedRuns(journal, { scope: 'call' })]
    const varying = varyingIn(runs)
    return new Map(runs.flatMap(run => verdictIn(run, varying)))
  } finally {
    journal.close()
  }
}

/** Parameters that are the same everywhere distinguish nothing. */
function varyingIn(runs: readonly RunRecord[]): ReadonlySet<string> {
  const first = runs[0]?.params ?? {}
  const varying = new Set<string>()
  for (const { params } of runs)
    for (const name of Object.keys({ ...first, ...params }))
      if (canonicalJson(first[name] ?? null) !== canonicalJson(params[name] ?? null)) varying.add(name)
  return varying
}

function verdictIn({ state, metrics, params, block, replicate, name }: RunRecord, varying: ReadonlySet<string>) {
  // A failed run has not passed; a run that has not ended says nothing yet.
  const passed = state === 'completed' ? metrics[knownMetrics.passed] : state === 'failed' ? 0 : undefined
  if (passed === undefined) return []
  const about = [
    ...Object.values(block).map(textOf),
    ...Object.entries(params)
      .filter(([key]) => varying.has(key) && !Object.hasOwn(block, key))
      .map(([key, level]) => `${key}=${textOf(level)}`),
    ...(replicate > 1 ? [`repetition ${replicate}`] : []),
  ].join(', ')
  return [[canonicalJson({ params, block, replicate }), { run: name, about, passed: passed >= 1 }] as const]
}

const textOf = (level: JsonObject[string]): string => (typeof level === 'string' ? level : canonicalJson(level))

export interface Flips {
  readonly kind: 'flips'
  readonly changed: readonly string[]
  readonly passed: number
  readonly judged: number
  readonly flips: readonly {
    readonly run: string
    readonly about: string
    readonly from: 'pass' | 'fail'
    readonly to: 'pass' | 'fail'
  }[]
  /** Runs that were not there before. */
  readonly added: number
}

export function flipsBetween(before: Verdicts, after: Verdicts, changed: readonly string[]): Flips {
  const word = (passed: boolean) => (passed ? 'pass' : 'fail')
  const flips = [...after].flatMap(([key, { run, about, passed }]) => {
    const was = before.get(key)
    return was === undefined || was.passed === passed
      ? []
      : [{ run, about, from: word(was.passed), to: word(passed) } as const]
  })
  return {
    kind: 'flips',
    changed,
    passed: [...after.values()].filter(({ passed }) => passed).length,
    judged: after.size,
    // Broken ones come first.
    flips: flips.toSorted((a, b) => compareTexts(a.to, b.to) || compareTexts(a.about, b.about)),
    added: [...after.keys()].filter(key => !before.has(key)).length,
  }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const mostShown = 40

export function flipLines({ flips, passed, judged, added }: Flips, style: Style): readonly string[] {
  const rate = judged === 0 ? '' : `; ${passed} of ${judged} pass (${percentText(passed / judged)})`
  const more = added === 0 ? '' : `, ${added} new`
  if (flips.length === 0) return [`nothing flipped${more}${rate}`]
  const lines = flips
    .slice(0, mostShown)
    .map(
      ({ about, from, to }) =>
        `  ${to === 'fail' ? style.red(`${from} → ${to}`) : style.green(`${from} → ${to}`)}  ${about}`,
    )
  const left = flips.length - mostShown
  return [`${flips.length} flipped${more}${rate}`, ...lines, ...(left > 0 ? [`  and ${left} more`] : [])]
}
