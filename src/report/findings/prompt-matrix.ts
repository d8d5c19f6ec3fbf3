import { variantsOf } from '../../analyze/variants.ts'
import { knownMetrics, type Observation } from '../../define/observation.ts'
import { type OrReason, orReason } from '../../util/errors.ts'
import { canonicalJson } from '../../util/json.ts'
import { naturalOrder } from '../../util/natural-order.ts'
import { levelText } from '../../util/words.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, idOf, type View } from './view.ts'

/** Every case against every variant: the answers, whether they passed, and why not. */
export interface PromptMatrix {
  readonly variants: readonly { readonly label: string; readonly passed: number; readonly judged: number }[]
  readonly cases: readonly MatrixCase[]
}

export interface MatrixCase {
  readonly name: string
  /** One for each variant, in the same order. */
  readonly cells: readonly MatrixCell[]
  /** Whether one variant passes what another does not, or passes it more often. */
  readonly isDisputed: boolean
  /** Whether no run of any variant failed it. */
  readonly isPassed: boolean
}

/** The runs of a variant on a case, each repetition one. */
export interface MatrixCell {
  readonly passed: number
  readonly judged: number
  readonly runs: readonly MatrixRun[]
}

export interface MatrixRun {
  readonly id: string
  /** null: not reported. */
  readonly passes: boolean | null
  /** null: not kept, or there is none. */
  readonly answer: string | null
  /** The failed asserts of the answer, or how the run failed; empty if it passed. */
  readonly why: readonly string[]
}

/** Whether the question is which prompt or model answers cases better. */
export const asksPrompts = ({ experiments, evidence }: Dataset): boolean =>
  experiments.length > 0 &&
  experiments.every(({ definition }) => definition?.target.kind === 'prompt') &&
  evidence.blocks.length > 0

export function promptMatrixOf(dataset: Dataset, view: Pick<View, 'filter'>): OrReason<PromptMatrix> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const folderOf = new Map(dataset.evidence.runs.map((run, at) => [idOf(run), dataset.folders[at]]))
    const matrixRun = (run: Observation): MatrixRun => {
      const folder = folderOf.get(idOf(run))
      const passed = run.outcome.kind === 'completed' ? run.metrics[knownMetrics.passed] : 0
      const unmet = (folder?.unmet ?? []).map(({ type, reason }) => (reason === '' ? type : reason))
      return {
        id: idOf(run),
        passes: passed === undefined ? null : passed >= 1,
        answer: folder?.answer ?? null,
        why: run.outcome.kind === 'completed' ? unmet : [run.outcome.message ?? run.outcome.kind.replaceAll('_', ' ')],
      }
    }
    const variants = variantsOf(evidence)
    const byCase = new Map<string, { readonly name: string; readonly runs: Map<number, MatrixRun[]> }>()
    for (const { id, runs } of variants)
      for (const run of runs) {
        const key = canonicalJson(run.block)
        const one = byCase.get(key) ?? { name: caseName(run), runs: new Map<number, MatrixRun[]>() }
        byCase.set(key, one)
        one.runs.set(id, [...(one.runs.get(id) ?? []), matrixRun(run)])
      }
    const cases = [...byCase.values()].map(({ name, runs }) => {
      const cells = variants.map(({ id }) => cellOf(runs.get(id) ?? []))
      const shares = cells.flatMap(({ passed, judged }) => (judged === 0 ? [] : [passed / judged]))
      return {
        name,
        cells,
        isDisputed: new Set(shares).size > 1,
        isPassed: shares.every(share => share === 1),
      }
    })
    return {
      variants: variants.map(({ label }, at) => ({ label, ...totalOf(cases.map(({ cells }) => cells[at])) })),
      cases: cases.toSorted((a, b) => naturalOrder(a.name, b.name)),
    }
  })
}

const caseName = ({ block }: Observation): string => Object.values(block).map(levelText).join(', ')

const cellOf = (runs: readonly MatrixRun[]): MatrixCell => ({
  passed: runs.filter(({ passes }) => passes === true).length,
  judged: runs.filter(({ passes }) => passes !== null).length,
  runs,
})

const totalOf = (cells: readonly (MatrixCell | undefined)[]) => ({
  passed: cells.reduce((sum, cell) => sum + (cell?.passed ?? 0), 0),
  judged: cells.reduce((sum, cell) => sum + (cell?.judged ?? 0), 0),
})
