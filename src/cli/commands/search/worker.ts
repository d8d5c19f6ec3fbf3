import { resolve } from 'node:path'
import type { Experiment } from '../../../define/experiment.ts'
import { limitsOver } from '../../../define/limits.ts'
import { ownKeys, withModulesNow } from '../../../define/own-modules.ts'
import { bindTarget } from '../../../define/target.ts'
import { experimentIn, workOnExperiment } from '../../../engine/work-on-experiment.ts'
import { openExecutor, performSubmitted } from '../../../execute/registry.ts'
import { layoutListener } from '../../../report/layouts/layouts.ts'
import { targetFor } from '../../../targets/registry.ts'
import { AssayError } from '../../../util/errors.ts'
import { toleranceOf } from '../../experiment/choose-experiment.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { surroundingsOf } from '../../experiment/surroundings.ts'
import { watchEngine } from '../../experiment/watching.ts'
import { type Io, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { verdictAtEnd } from '../../outcome/verdict-at-end.ts'
import { outcomeFact } from '../../views/outcome-text.ts'
import { styler } from '../../views/style.ts'
import { summaryLines } from '../../views/summary-view.ts'

export async function workerCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  if (options.queue !== undefined) return (await import('./queue-worker.ts')).queueWorkerCommand(args, options, io)
  if (options.perform !== undefined) return performCommand(options.perform, options, io)
  io.keepMemory?.()
  const dir = experimentDirArgument(args, options, io)
  const { experiment: defined, fingerprint } = experimentIn(dir)
  refuseChangedModules(defined, io.cwd)
  // A worker's own failure limits stay with this worker: the others, and the journal, do not see them.
  const experiment = { ...defined, limits: limitsOver(defined.limits, toleranceOf(options, io)) }
  const setting = { ...bindTarget(targetFor(experiment), experiment), dir }
  const watching = watchEngine(experiment, options, io)
  try {
    const end = await workOnExperiment(
      {
        ...setting,
        fingerprint,
        executor: await openExecutor('local', setting, {
          slots: options.jobs ?? experiment.limits.jobs,
          labels: options.label ?? [],
          cwd: io.cwd,
        }),
        count: options.count ?? null,
        retryFailed: options.retryFailed ?? false,
      },
      surroundingsOf(io, layoutListener(experiment.dialect, dir), watching.listener),
    )
    watching.end()
    if (!options.json) {
      const facts = {
        ...end,
        name: experiment.name,
        failures: [],
        verdict: options.quiet ? [] : await verdictAtEnd(experiment, end.summary, options, io),
        retryCommand: '',
        goOn: goOnAfter(end.stoppedBy, dir),
      }
      writeLines(io.stdout, summaryLines(facts, styler(io.stdout)))
    }
    return end.exitCode
  } finally {
    watching.end()
  }
}

/** An array task of Slurm: executes its runs, and no others. */
async function performCommand(file: string, { quiet = false }: Options, io: Io): Promise<number> {
  io.keepMemory?.()
  let forget: (() => void) | undefined
  try {
    await performSubmitted(resolve(io.cwd, file), {
      targetFor,
      onEnd(listener) {
        forget = io.onSignal(listener)
      },
      tell(run, { outcome }) {
        if (!quiet) writeLines(io.stdout, [`${run}  ${outcomeFact(outcome)}`])
      },
    })
    return 0
  } finally {
    forget?.()
  }
}

/** A worker executes runs of the existing definition: with another module they would belong to a different one. */
function refuseChangedModules(experiment: Experiment, cwd: string): void {
  const now = withModulesNow(experiment, cwd)
  const changed = ownKeys
    .flatMap(key => (now[key] ?? []).filter(({ sha256 }, at) => sha256 !== experiment[key]?.[at]?.sha256))
    .map(({ path }) => path)
  if (changed.length === 0) return
  throw new AssayError('stale', `${changed.join(', ')} changed since the experiment was planned`, {
    hint: 'Start with `assay run` and the configuration file: it says what that means for finished runs.',
  })
}

/** A worker obeys a stop until it is lifted, which is normally done by `run`. */
const goOnAfter = (stoppedBy: string | null, dir: string): string | undefined =>
  stoppedBy?.includes('`assay stop`') ? `\`assay resume ${dir}\` lets workers continue.` : undefined
