import * as z from 'zod'
import type { MetricSpec } from '../../experiment.ts'
import { text } from '../parts.ts'
import { metricMistakes } from './metric-mistakes.ts'
import { metric, metricSourceKinds } from './metric-schema.ts'
import { metricSource } from './metric-source.ts'

/** For editors: {@link metricMistakes} says more about two sources at once. */
const twoSources = metricSourceKinds.flatMap((kind, index) =>
  metricSourceKinds.slice(index + 1).map(other => ({ required: [kind, other] })),
)

/** `sources` are the names of metric sources that the experiment brings. */
export const metrics = (sources: readonly string[]) =>
  z
    .record(text, metric.meta({ not: { anyOf: twoSources } }).nullable())
    .transform((written, context): readonly MetricSpec[] =>
      Object.entries(written).map(([name, given]) => {
        const spec = given ?? {}
        for (const mistake of metricMistakes(name, spec, sources))
          context.addIssue({ code: 'custom', input: written, ...mistake })
        return {
          name,
          goal: spec.goal ?? null,
          primary: spec.primary ?? false,
          ...(spec.value === 'best' && { value: spec.value }),
          ...(spec.range !== undefined && { range: spec.range }),
          source: metricSource(name, spec),
        }
      }),
    )
    .describe(
      'Numbers of a run. Without a source, the run reports the metric itself. "*" with csv or json: every number in it.',
    )
