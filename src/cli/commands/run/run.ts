import type { WorkEnd } from '../../../engine/call.ts'
import { runExperiment } from '../../../engine/run-experiment.ts'
import { openExecutor } from '../../../execute/registry.ts'
import { layoutListener } from '../../../report/layouts/layouts.ts'
import { AssayError } from '../../../util/errors.ts'
import { type Chosen, chooseExperiment, explicitLimits } from '../../experiment/choose-experiment.ts'
import { executorNamed, executorOptions } from '../../experiment/executor-options.ts'
import { surroundingsOf } from '../../experiment/surroundings.ts'
import { sweepTags } from '../../experiment/sweep-on-command-line.ts'
import { watchEngine } from '../../experiment/watching.ts'
import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { printOutcome } from '../../outcome/print-outcome.ts'
import { planCommand } from './plan.ts'

export async function runCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  if (options.failFast && options.keepGoing)
    throw new AssayError('usage', '--fail-fast and --keep-going contradict each other')
  passRequired(options)
  if (options.dryRun) return planCommand(args, options, io)
  const chosen = chooseExperiment(args, options, io, 'run')
  if (options.watch) {
    const { runWatching } = await import('../../watch/run-watching.ts')
    return runWatching(args, chosen, options, io, runChosen)
  }
  return (await runChosen(chosen, options, io)).exitCode
}

/** Executes the missing runs of an experiment, shows the progress, and reports how it ended. */
export async function runChosen(chosen: Chosen, options: Options, io: Io): Promise<WorkEnd> {
  const { experiment } = chosen
  io.keepMemory?.()
  const watching = watchEngine(experiment, options, io)
  try {
    const end = await runExperiment(
      {
        ...chosen,
        executor: await openExecutor(executorNamed(options, io), chosen, executorOptions(experiment, options, io)),
        retryFailed: options.retryFailed ?? false,
        rerun: options.rerun ?? [],
        fresh: options.fresh ?? false,
        stale: options.stale ?? null,
        takesIn: options.resume ?? false,
        failFast: options.failFast ?? false,
        requirePass: passRequired(options),
        explicitLimits: explicitLimits(options),
        tags: [...(options.tag ?? []), ...sweepTags(options)],
        note: options.note ?? null,
      },
      surroundingsOf(io, layoutListener(experiment.dialect, chosen.dir), watching.listener),
    )
    watching.end()
    if (!options.json) await printOutcome(experiment, end, options, io)
    return end
  } finally {
    watching.end()
  }
}

function passRequired({ require: required }: Options): number | undefined {
  if (required === undefined) return undefined
  if ('pass' in required) return required.pass
  throw new AssayError('usage', `--require ${required.verdict} is for \`assay compare\`; run takes a share: pass=95%`)
}
