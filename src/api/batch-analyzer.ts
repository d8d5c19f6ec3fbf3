import { join, resolve } from 'node:path'
import {
  analysisOf,
  type Batch,
  type BatchAnalysis,
  type BatchOptions,
  batchOf,
  type MetricStatistics,
  type Patterns,
  type RankedVariation,
  rankVariants,
  spentOn,
  type VariationStatistics,
} from '../analyze/batch/analyze-batch.ts'
import type { Provenance } from '../analyze/provenance/provenance.ts'
import { metricNames, readingOf } from '../analyze/reading.ts'
import type { OutcomeKind } from '../define/outcome.ts'
import { evidenceOf, isBatchFolder, lastLines, mergeEvidence } from '../record/evidence/evidence.ts'
import { asExperimentDirectory } from '../record/places.ts'
import { analysisMarkdown, writeAnalysis } from '../report/analysis/analysis.ts'
import { AssayError } from '../util/errors.ts'
import { refuseUnknown } from './refuse-unknown.ts'

export type BatchAnalyzerOptions = Omit<BatchOptions, 'lastLineOf' | 'filter' | 'drawing' | 'summary'>

/** A run as the analysis sees it. */
export interface RunData {
  readonly run_id: string
  readonly variation_id: number
  readonly metrics: { readonly [metric: string]: number }
  /** In USD, all attempts together; null: unknown. */
  readonly cost: number | null
  /** null: it was not judged, because it was interrupted or lacks a metric of the rule. */
  readonly success: boolean | null
  readonly outcome: OutcomeKind
}

/**
 * What worked, what failed, why, and at what cost, from code. Everything is computed from the journal, once, when it is
 * first asked for; `collectRunData` reads it anew.
 *
 * @example
 * const { dir } = await run(experiment)
 * const analyzer = new BatchAnalyzer(dir, { success: 'square >= 4' })
 * const [best] = analyzer.compareVariations('square')
 * console.log(best.description, analyzer.identifyPatterns().success_rate)
 */
export class BatchAnalyzer {
  readonly #dirs: readonly string[]
  readonly #options: BatchAnalyzerOptions
  #batch: Batch | undefined
  #analysis: BatchAnalysis | undefined

  /** With several directories, the directory of a run is the factor `experiment`. */
  constructor(dir: string | readonly string[], options: BatchAnalyzerOptions = {}) {
    refuseUnknown('BatchAnalyzer', options, optionNames)
    this.#dirs = (typeof dir === 'string' ? [dir] : dir).map(experimentDirectory)
    this.#options = options
  }

  /** Every run that has ended. */
  collectRunData(): readonly RunData[] {
    const evidence = mergeEvidence(this.#dirs.map(dir => evidenceOf(dir, { series: [], attempts: true })))
    this.#batch = batchOf(evidence, { ...this.#options, lastLineOf: lastLines(evidence) })
    this.#analysis = undefined
    const { variants, judgements } = this.#batch
    return variants.flatMap(({ id, runs }) =>
      runs.map(run => {
        const judgement = judgements.get(run)
        return {
          run_id: run.name,
          variation_id: id,
          metrics: run.metrics,
          cost: spentOn(run)?.usd ?? null,
          success: judgement === 'success' ? true : judgement === 'failure' ? false : null,
          outcome: run.outcome.kind,
        }
      }),
    )
  }

  /** By metric: the content of `metrics-analysis.json`. */
  calculateMetricStatistics(): MetricStatistics {
    return this.#analysed().metrics
  }

  /** By the variant's number: the content of `variation-statistics.json`. */
  calculateVariationStatistics(): VariationStatistics {
    return this.#analysed().variations
  }

  /** The variants by one metric, best first by its goal, and those that can't be distinguished from the best. */
  compareVariations(metric: string): readonly RankedVariation[] {
    const batch = this.#collected()
    // Without any value there is nothing to compare: an unknown name is then an error with a suggestion.
    const reading = metricNames(batch.evidence.runs).includes(metric)
      ? batch.readings.find(one => one.metric === metric)
      : undefined
    return rankVariants(batch, reading ?? readingOf(batch.evidence, { metric })).variations
  }

  /** What correlates with success and with failure: the content of `patterns.json`. */
  identifyPatterns(): Patterns & { readonly provenance: Provenance } {
    const { patterns, provenance } = this.#analysed()
    return { ...patterns, provenance }
  }

  /** The report as Markdown. */
  generateAnalysisReport(): string {
    return analysisMarkdown(this.#analysed())
  }

  /**
   * Writes the three files and the report to `analysis/` in the (first) directory, or elsewhere; returns their names.
   */
  saveAnalysisData(folder: string = join(this.#dirs[0] ?? '', 'analysis')): readonly string[] {
    return writeAnalysis(resolve(folder), this.#analysed(), { report: true })
  }

  #collected(): Batch {
    if (this.#batch === undefined) this.collectRunData()
    return this.#batch as Batch
  }

  #analysed(): BatchAnalysis {
    const batch = this.#collected()
    this.#analysis ??= analysisOf(batch)
    return this.#analysis
  }
}

const optionNames = { success: true, metric: true, goal: true, alpha: true, correction: true } as const

function experimentDirectory(dir: string): string {
  const found = isBatchFolder(resolve(dir)) ? resolve(dir) : asExperimentDirectory(resolve(dir))
  if (found === undefined)
    throw new AssayError('not_found', `${dir} is not an experiment directory: it has no journal.db`)
  return found
}
