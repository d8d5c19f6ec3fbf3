import type { Outcome } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext } from '../../define/target.ts'
import type { Environment } from '../../process/spawn/spawn-group.ts'
import { messageOf } from '../../util/errors.ts'
import { closeRunTrace, openRunTrace } from '../run-models.ts'

/**
 * Runs a command with its own span, which programs get through TRACEPARENT. With `otlp_in` the spans that they send go
 * to this process and become part of the run's trace; variables that point elsewhere are not inherited.
 */
export async function tracedCommand(
  run: Run,
  context: RunContext,
  work: (env: Environment) => Promise<Outcome>,
): Promise<Outcome> {
  const trace = openRunTrace(run, context)
  if (trace === null) return work({})
  const intake = context.experiment.calls?.otlp_in
    ? await trace.receive().catch(error => {
        context.note(`no spans are recorded: ${messageOf(error)}`)
        return null
      })
    : null
  let outcome: Outcome | undefined
  try {
    const env = { TRACEPARENT: trace.traceparent(trace.root) }
    outcome = await work(intake === null ? env : { ...env, ...toHere(intake.endpoint) })
    return outcome
  } finally {
    await intake?.close()
    await closeRunTrace(trace, outcome)
  }
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/: those for traces alone would win over the general ones. */
const toHere = (endpoint: string): Environment => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_HEADERS: undefined,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: undefined,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: undefined,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: undefined,
})
