import { percentText } from '../../../analyze/numbers.ts'
import { counted } from '../../../analyze/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'

export interface Badge {
  readonly text: string
  readonly tone: 'good' | 'warning' | 'plain'
  /** What it means, in a sentence. */
  readonly meaning: string
}

/** What a reader must know before believing anything: how it was decided what to look at, and what is missing. */
export function badgesOf(dataset: Dataset): readonly Badge[] {
  return [registration(dataset), ...completeness(dataset), ...uncommitted(dataset)]
}

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
