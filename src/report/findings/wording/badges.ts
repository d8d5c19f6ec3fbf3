import { percentText } from '../../../analyze/numbers.ts'
import { type ReadValue, readValue } from '../../../analyze/reading.ts'
import { counted } from '../../../analyze/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { filtered, lookedAt } from '../looked-at.ts'
import type { View } from '../view.ts'
import { orReason } from './or-reason.ts'

export interface Badge {
  readonly text: string
  readonly tone: 'good' | 'warning' | 'plain'
  /** What it means, in a sentence. */
  readonly meaning: string
}

/** What a reader must know before believing anything: how it was decided what to look at, and what is missing. */
export function badgesOf(dataset: Dataset, view: Pick<View, 'filter' | 'metric'>): readonly Badge[] {
  return [
    registration(dataset),
    ...onlySome(dataset, view.filter.trim()),
    ...completeness(dataset),
    ...withoutMetric(dataset, view),
    ...uncommitted(dataset),
  ]
}

/** `only load == 0.9: 30 of 60 runs`: whoever sends the page on must not have to look for the filter. */
function onlySome({ evidence }: Dataset, filter: string): readonly Badge[] {
  if (filter === '') return []
  const kept = orReason(() => filtered(evidence, filter))
  const of = `of ${counted(evidence.runs.length, 'run')}`
  return [
    'found' in kept
      ? {
          text: `only ${filter}: ${kept.found.runs.length} ${of}`,
          tone: 'warning',
          meaning: 'What is said here is about these runs alone; cost, time and completeness are of all.',
        }
      : { text: `only ${filter}: none ${of}`, tone: 'warning', meaning: `Nothing can be said: ${kept.reason}.` },
  ]
}

/** Runs that completed and say nothing about the question are as lost to it as those that failed. */
function withoutMetric(dataset: Dataset, view: Pick<View, 'filter' | 'metric'>): readonly Badge[] {
  const looked = orReason(() => lookedAt(dataset, view))
  if ('reason' in looked) return []
  const { evidence, reading } = looked.found
  const lacking = evidence.runs.filter(run => run.outcome.kind === 'completed' && !hasValue(readValue(run, reading)))
  if (lacking.length === 0) return []
  return [
    {
      text: `${lacking.length} without ${view.metric}`,
      tone: 'warning',
      meaning: `${counted(lacking.length, 'run')} completed without a value of ${view.metric} and ${lacking.length === 1 ? 'is' : 'are'} left out; see the failures below.`,
    },
  ]
}

const hasValue = (read: ReadValue): boolean => 'value' in read && Number.isFinite(read.value)

/** A plan that was written down before the data is worth more than one that was made up to fit it. */
function registration(_: Dataset): Badge {
  return {
    text: 'exploratory',
    tone: 'plain',
    meaning: 'No plan of this analysis was recorded before the runs: treat what is found as a hypothesis to test.',
  }
}

function completeness({ experiments, evidence }: Dataset): readonly Badge[] {
  const standings = experiments.flatMap(({ standing }) => (standing === null ? [] : [standing]))
  if (standings.length === 0)
    return [{ text: counted(evidence.runs.length, 'row'), tone: 'plain', meaning: 'What was planned is not known.' }]
  const sum = (pick: (states: { readonly [state: string]: number }) => number): number =>
    standings.reduce((total, { states }) => total + pick(states), 0)
  const planned = standings.reduce((total, standing) => total + standing.planned, 0)
  const completed = sum(({ completed: n = 0 }) => n)
  const left = sum(({ pending = 0, running = 0 }) => pending + running)
  const failed = planned - completed - left
  if (completed === 0 && failed > 0 && left === 0)
    return [
      {
        text: `ended: ${counted(planned, 'run')}, none completed`,
        tone: 'warning',
        meaning: 'Every run of the plan has ended without a result; see the failures below.',
      },
    ]
  return [
    left === 0
      ? { text: `complete: ${counted(planned, 'run')}`, tone: 'good', meaning: 'Every run of the plan has ended.' }
      : {
          text: `partial: ${planned - left} of ${counted(planned, 'run')}`,
          tone: 'warning',
          meaning: `${counted(left, 'run')} of the plan (${percentText(left / planned)}) have not ended: what is said here may change.`,
        },
    ...(failed === 0
      ? []
      : [
          {
            text: `${failed} without a result`,
            tone: 'warning' as const,
            meaning: `${counted(failed, 'run')} ended without a result and are left out; see the failures below.`,
          },
        ]),
  ]
}

function uncommitted({ evidence }: Dataset): readonly Badge[] {
  return evidence.runs.some(({ code }) => code?.endsWith('+') === true)
    ? [
        {
          text: 'uncommitted changes',
          tone: 'warning',
          meaning:
            'Some runs were made with code that was not committed; the patch is kept in the experiment’s folder.',
        },
      ]
    : []
}
