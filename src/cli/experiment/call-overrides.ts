import { resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { type CallSettings, defaultCalls } from '../../define/models/model-settings.ts'
import { bindTarget } from '../../define/target.ts'
import { otlpAddress } from '../../models/trace/read-trace.ts'
import { targetFor } from '../../targets/registry.ts'
import { AssayError } from '../../util/errors.ts'
import type { Options } from '../options.ts'

/** The experiment with the options about model calls applied. A rehearsal is a separate experiment, with another name. */
export function withCalls(experiment: Experiment, options: Options, cwd: string): Experiment {
  const { record, replay, rehearse, noCache, noTrace, noTraceContent, otlp, otlpIn } = options
  if (record !== undefined && replay !== undefined)
    throw new AssayError('usage', '--record and --replay contradict each other')
  refuseOtlp(experiment, options)
  const given = [record, replay, rehearse, noCache, noTrace, noTraceContent, otlp, otlpIn]
  if (given.every(one => one === undefined)) return experiment
  refuseWithoutCalls(experiment, { record, replay, rehearse })
  const before = experiment.calls ?? defaultCalls
  const calls: CallSettings = {
    ...before,
    ...(rehearse && { rehearse }),
    ...(noCache && { cache: false }),
    ...(record !== undefined && { record: resolve(cwd, record), replay: null }),
    ...(replay !== undefined && { replay: resolve(cwd, replay), record: null }),
    ...(noTraceContent && { trace: 'facts' }),
    ...(noTrace && { trace: 'none' }),
    ...(otlp !== undefined && { otlp }),
    ...(otlpIn !== undefined && { otlp_in: otlpIn }),
  }
  return { ...experiment, calls, ...(rehearse && rehearsalPlace(experiment)) }
}

/** Rehearsed results are never mixed with paid ones. */
function rehearsalPlace({ name, directory }: Experiment): Pick<Experiment, 'name' | 'directory'> {
  const path = directory?.kind === 'exact' ? `${directory.path}-rehearsal` : null
  return { name: `${name}-rehearsal`, ...(path !== null && { directory: { kind: 'exact', path } }) }
}

/** Refused before anything runs: later, spans that arrive nowhere only cause a notice. */
function refuseOtlp({ calls, target }: Experiment, { otlp, otlpIn, noTrace }: Options): void {
  if (noTrace && (otlp !== undefined || otlpIn))
    throw new AssayError('usage', `--no-trace and --${otlpIn ? 'otlp-in' : 'otlp'} contradict each other`)
  if (otlp !== undefined && calls?.trace === 'none')
    throw new AssayError('usage', '--otlp: the experiment has calls.trace: none, so there is nothing to send')
  const to = otlp ?? calls?.otlp
  if (to != null && !noTrace) otlpAddress(to, process.env)
  if ((otlpIn ?? calls?.otlp_in) && target.kind !== 'command')
    throw new AssayError(
      'usage',
      `--otlp-in: a target of kind "${target.kind}" starts no program that could send spans`,
      {
        hint: 'It is for targets of kind "command".',
      },
    )
}

/** Options without effect are refused: an empty recording is noticed too late. */
function refuseWithoutCalls(
  experiment: Experiment,
  given: { readonly [name in 'record' | 'replay' | 'rehearse']: unknown },
): void {
  const { kind } = experiment.target
  const option = Object.entries(given).find(([, value]) => value !== undefined)?.[0]
  if (option === undefined || bindTarget(targetFor(experiment), experiment).bound() === 'per_call') return
  throw new AssayError('usage', `--${option}: a target of kind "${kind}" calls no models through assay`, {
    hint: 'It is for targets such as "prompt", whose calls assay makes itself.',
  })
}
