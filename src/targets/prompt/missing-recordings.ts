import { existsSync } from 'node:fs'
import type { Experiment } from '../../define/experiment.ts'
import type { Permits } from '../../define/permits.ts'
import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import { ModelError } from '../../models/model-error.ts'
import { openModels } from '../../models/open-models.ts'
import { applyAsserts } from './apply-asserts.ts'
import { type Assertion, isSet, typeOf } from './asserts/assert-schema.ts'
import { converse } from './converse.ts'
import { questionOf } from './question.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'

/** How many runs are checked before the first is executed: a recording that lacks one mostly lacks many. */
const mostRuns = 2000

/**
 * The missing parts of a recording, including judges' calls, in one sentence: a replay that can't be complete is not
 * started.
 */
export async function missingRecordings(
  whole: ResolvedPrompt,
  experiment: Experiment,
  { runs, folder }: { readonly runs: Iterable<Run>; readonly folder: string },
): Promise<readonly Problem[]> {
  const path = ['calls', 'replay']
  if (!existsSync(folder))
    return [{ path, message: `there is no recording in ${folder}`, hint: `make one: assay run --record ${folder}` }]
  const missing: { readonly run: string; readonly message: string }[] = []
  let looked = 0
  for (const run of runs) {
    if (looked === mostRuns) break
    looked++
    const message = await missingIn(run, whole, experiment, folder)
    if (message !== null) missing.push({ run: run.name, message })
  }
  const [first] = missing
  if (first === undefined) return []
  const count = `${missing.length} of ${looked} runs`
  return [
    {
      path,
      message: `${count} make calls that are not in the recording ${folder}; e.g. ${first.run}: ${first.message}`,
      hint: `the experiment or its prompts have changed since it was recorded: record it again with --record ${folder}`,
    },
  ]
}

async function missingIn(
  run: Run,
  whole: ResolvedPrompt,
  experiment: Experiment,
  folder: string,
): Promise<string | null> {
  const { block, replicate } = run
  const client = openModels({
    env: {},
    settings: experiment.models,
    rehearse: experiment.calls?.rehearse ?? false,
  }).client({ permits: noPermits, seed: run.seed, keeping: { folder, mode: 'replay', scope: { block, replicate } } })
  try {
    const { signal } = new AbortController()
    const question = questionOf(whole, run)
    const conversation = await converse(question, client, signal)
    const test = question.test === null ? null : { ...question.test, assert: rubrics(question.test.assert ?? []) }
    const judged = { ...whole, assert: rubrics(whole.assert) }
    await applyAsserts(judged, { ...question, test }, conversation, { client, folder: experiment.folder, signal })
    return null
  } catch (error) {
    // Anything else is the run's own business: it ends as it did when it was recorded.
    return error instanceof ModelError && error.fault === 'missing_recording' ? error.message : null
  }
}

/** A replay asks for none. */
const noPermits: Permits = {
  acquire: () => Promise.reject(new Error('a replay makes no calls')),
  settle: () => undefined,
}

/** Only judges call models; users' functions are not called to check whether a recording is complete. */
const rubrics = (all: readonly Assertion[]): Assertion[] =>
  all.flatMap((one): readonly Assertion[] => {
    if (!isSet(one)) return typeOf(one).type === 'llm-rubric' ? [one] : []
    const inner = one.assert.filter(each => typeOf(each).type === 'llm-rubric')
    return inner.length === 0 ? [] : [{ ...one, assert: inner }]
  })
