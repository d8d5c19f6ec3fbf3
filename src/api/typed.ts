import type { WrittenExperiment } from '../define/load-experiment.ts'
import type { RunRecord } from '../define/observation.ts'
import type { Run } from '../define/run.ts'
import type { RunFunction } from '../targets/inline.ts'
import type { Json, JsonObject } from '../util/json.ts'

/** The inferred types of an experiment: a run's parameters and metrics, from its definition. */

/** A factor as written: levels, a range such as `1..5`, or a map. */
type FactorInput = readonly Json[] | string | FactorMap
type FactorMap = {
  readonly [K in keyof WrittenMap]: WrittenMap[K] extends (infer E)[] | undefined
    ? readonly E[] | undefined
    : WrittenMap[K]
} & { readonly values?: readonly Json[] | string }
type WrittenMap = Omit<
  Exclude<NonNullable<WrittenExperiment['factors']>[string], string | readonly unknown[]>,
  'values'
>

export interface FactorsInput {
  readonly [name: string]: FactorInput
}
interface ZipGroup {
  readonly [name: string]: readonly Json[] | string
}
export type ZipInput = ZipGroup | readonly ZipGroup[]
export type IncludeInput = readonly JsonObject[]
export type AblationsInput = readonly {
  readonly name: string
  readonly flags?: readonly (string | number | boolean)[]
  readonly set?: JsonObject
}[]
export type MetricsInput = NonNullable<WrittenExperiment['metrics']>

/** Omitted parts. */
export type Nothing = Record<never, never>

type Level<F> = F extends readonly (infer L)[] ? L : F extends { readonly values: readonly (infer L)[] } ? L : number

/** A conditional factor is absent if its condition is false. */
type FactorParam<F> = F extends { readonly when: string } ? Level<F> | undefined : Level<F>

type ZipParams<Z> = Z extends readonly (infer G)[]
  ? (G extends unknown ? (group: GroupParams<G>) => void : never) extends (all: infer All) => void
    ? All
    : Nothing
  : GroupParams<Z>
type GroupParams<G> = { readonly [K in keyof G]: Level<G[K]> }

type Named<F, P, Z> = { readonly [K in keyof F]: FactorParam<F[K]> } & Readonly<P> & ZipParams<Z>

/** `include` and ablations may give any parameter any other value: then only the names are known. */
export type ParamsOf<F, P, Z, I extends readonly unknown[], A extends readonly unknown[]> = I | A extends readonly []
  ? Named<F, P, Z>
  : { readonly [K in keyof Named<F, P, Z>]: Json | undefined } & { readonly [name: string]: Json | undefined }

/** An object of numbers gives its keys, a number the metric `value`; declared ones are known too. */
export type MetricsOf<R, N> = unknown extends R
  ? AnyMetrics
  : [ReturnedName<Awaited<R>> | keyof N] extends [never]
    ? AnyMetrics
    : { readonly [K in ReturnedName<Awaited<R>> | Extract<keyof N, string>]?: number }

type ReturnedName<R> = R extends number | boolean ? 'value' : R extends object ? Extract<keyof R, string> : never

export interface AnyMetrics {
  readonly [metric: string]: number
}

/** A function under test: parameters in, metrics out. */
export type TypedFunction<P, R> = (params: P, context: Parameters<RunFunction>[1]) => R

/** A run whose parameters are known. */
export type TypedRun<P> = Omit<Run, 'params'> & { readonly params: P }

/** A recorded run whose parameters and metrics are known. */
export type TypedRecord<P, M> = Omit<RunRecord, 'params' | 'metrics'> & {
  readonly params: P
  readonly metrics: M
}
