import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openSearch, type SearchDefinition } from '../../src/api/index.ts'
import type { Bench, Row } from '../row.ts'
import { branin, hartmann6, suite, type TestFunction } from '../search/functions.ts'

type Method = SearchDefinition['method']

const peer = fileURLToPath(new URL('../peers/optuna-search.py', import.meta.url))
const notInstalled = 'Optuna is not installed (apt-get install python3-optuna)'
const repeats = 8
const looks = [30, 100] as const

/** The quality of the best trial for the same number of trials, and the time per proposal. */
export const searchBench: Bench = {
  name: 'search',
  async run() {
    const optuna = optunaQuality()
    return [
      quality(branin, 0.45, 3),
      quality(hartmann6, -2.7, 2),
      ...ranks('bayes', optuna),
      ...ranks('tpe', optuna),
      suggestionWith1000(),
      tpeSpeed(),
    ]
  },
}

function quality(tested: TestFunction, mustReach: number, digits: number): Row {
  const best = Array.from({ length: 16 }, (_, seed) => bestValues('bayes', tested, 25, seed + 1).at(-1) ?? Number.NaN)
  const mean = best.reduce((sum, value) => sum + value, 0) / best.length
  return {
    work: `bayes on ${tested.name}: mean best of 25 trials, 16 repeats`,
    result: mean.toFixed(digits),
    mustReach: `≤ ${mustReach}`,
    isReached: mean <= mustReach,
  }
}

/** By function and repeat, the best value after each trial. */
type Quality = Readonly<Record<string, readonly (readonly number[])[]>>

/** 1: always better than the peer; 2: never. */
function ranks(method: Method, optuna: Quality | null): readonly Row[] {
  const works = looks.map(
    trials => `${method} against Optuna's TPE: mean rank on ${suite.length} functions, ${trials} trials`,
  )
  if (optuna === null) return works.map(work => ({ work, result: notInstalled, mustReach: '< 1.5', isReached: null }))
  const places = looks.map((): number[] => [])
  for (const tested of suite)
    for (let repeat = 0; repeat < repeats; repeat++) {
      const ours = bestValues(method, tested, Math.max(...looks), repeat + 1)
      looks.forEach((trials, index) => {
        places[index]?.push(
          rank(ours[trials - 1] ?? Number.NaN, optuna[tested.name]?.[repeat]?.[trials - 1] ?? Number.NaN),
        )
      })
    }
  return works.map((work, index) => {
    const all = places[index] ?? []
    const mean = all.reduce((sum, place) => sum + place, 0) / all.length
    return { work, result: mean.toFixed(2), mustReach: '< 1.5', isReached: mean < 1.5 }
  })
}

const rank = (ours: number, theirs: number): number => (ours < theirs ? 1 : ours > theirs ? 2 : 1.5)

function bestValues(method: Method, { factors, value }: TestFunction, trials: number, seed: number): readonly number[] {
  const search = openSearch({ method, goal: 'minimize', factors, seed })
  const best: number[] = []
  for (const _ of Array.from({ length: trials })) {
    for (const { id, params } of search.ask()) search.tell(id, value(params))
    best.push(search.best()?.value ?? Number.NaN)
  }
  return best
}

function suggestionWith1000(): Row {
  const past = openSearch({ method: 'random', goal: 'minimize', factors: hartmann6.factors })
  const search = openSearch({ method: 'bayes', goal: 'minimize', factors: hartmann6.factors })
  for (const { params } of past.ask(1000)) search.tell(params, hartmann6.value(params))
  const seconds = Array.from({ length: 3 }, () => {
    const started = performance.now()
    for (const { id, params } of search.ask()) search.tell(id, hartmann6.value(params))
    return (performance.now() - started) / 1000
  })
  const longest = Math.max(...seconds)
  return {
    work: 'bayes: a suggestion with 1,000 past trials in 6 dimensions',
    result: `${longest.toFixed(2)} s`,
    mustReach: '< 1 s',
    isReached: longest < 1,
  }
}

function tpeSpeed(): Row {
  const started = performance.now()
  bestValues('tpe', hartmann6, 1000, 1)
  const seconds = (performance.now() - started) / 1000
  const theirs = askOptuna<number>('speed', '1000')
  const times = theirs === null ? null : theirs / seconds
  return {
    work: 'tpe: 1,000 trials in 6 dimensions, against Optuna in memory',
    result:
      times === null
        ? `${seconds.toFixed(2)} s; ${notInstalled}`
        : `${times.toFixed(0)} × faster (${seconds.toFixed(2)} s, ${theirs?.toFixed(1)} s)`,
    mustReach: '≥ 10 × faster',
    isReached: times === null ? null : times >= 10,
  }
}

const optunaQuality = (): Quality | null => askOptuna('quality', String(Math.max(...looks)), String(repeats))

function askOptuna<T>(...args: readonly string[]): T | null {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import optuna'], { stdio: 'ignore' })
  } catch {
    return null
  }
  return JSON.parse(execFileSync('/usr/bin/python3', [peer, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 })) as T
}
