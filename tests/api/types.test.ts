import { expect, expectTypeOf, test } from 'vitest'
import type {
  Dialect,
  Executor,
  MetricSource,
  OwnTarget,
  Planner,
  PlannerMethod,
  Stopper,
  StopperRule,
  Target,
} from '../../src/api/index.ts'
import { compare, defineExperiment, plan, power, type RunResult, type run } from '../../src/api/index.ts'

// Checked by the compiler (`npm run types`); lines that must not compile are marked, and an unused mark is an error.

type Runs<D> = D extends Parameters<typeof run>[0]
  ? D extends { types?: readonly [infer P, infer M] }
    ? RunResult<P, M>['runs'][number]
    : never
  : never

test('parameters follow from factors, params and zip', () => {
  const experiment = defineExperiment({
    name: 'e',
    factors: {
      policy: ['fifo', 'full'],
      size: '1..5',
      rate: { min: 0, max: 1 },
      keep: { values: [1, 2], when: "policy == 'full'" },
    },
    search: { method: 'random', max_runs: 3 },
    params: { unit: 'ms' },
    zip: [{ a: [1, 2], b: ['x', 'y'] }, { c: [true, false] }],
    target: params => {
      expectTypeOf(params.policy).toEqualTypeOf<'fifo' | 'full'>()
      expectTypeOf(params.size).toEqualTypeOf<number>()
      expectTypeOf(params.rate).toEqualTypeOf<number>()
      expectTypeOf(params.keep).toEqualTypeOf<1 | 2 | undefined>()
      expectTypeOf(params.unit).toEqualTypeOf<'ms'>()
      expectTypeOf(params.a).toEqualTypeOf<1 | 2>()
      expectTypeOf(params.b).toEqualTypeOf<'x' | 'y'>()
      expectTypeOf(params.c).toEqualTypeOf<boolean>()
      // @ts-expect-error: there is no such factor
      params.polcy
      return { score: params.size }
    },
  })
  const planned = [...plan(experiment, { first: 1 })]
  expect(planned).toHaveLength(1)
  for (const { params } of planned) {
    expectTypeOf(params.policy).toEqualTypeOf<'fifo' | 'full'>()
    // @ts-expect-error: nor here
    params.polcy
  }
})

test('metrics are inferred from the function’s result and from declared metrics', () => {
  const experiment = defineExperiment({
    name: 'e',
    factors: { x: [1, 2] },
    metrics: { loss: { goal: 'minimize' } },
    target: async ({ x }) => (x === 1 ? { square: x ** 2, isOne: true } : undefined),
  })
  type Metrics = Runs<typeof experiment>['metrics']
  expectTypeOf<keyof Metrics>().toEqualTypeOf<'square' | 'isOne' | 'loss'>()
  expectTypeOf<Metrics['square']>().toEqualTypeOf<number | undefined>()
  // @ts-expect-error: it is called square
  type Wrong = Metrics['sqare']
  expectTypeOf<Wrong>().toBeAny()
  expect(experiment.experiment.metrics.map(({ name }) => name)).toEqual(['loss'])
})

test('a number is the metric value; metrics of a program can’t be inferred', () => {
  const one = defineExperiment({ name: 'e', factors: { x: [1] }, target: ({ x }) => x })
  expectTypeOf<keyof Runs<typeof one>['metrics']>().toEqualTypeOf<'value'>()
  const program = defineExperiment({ name: 'e', factors: { x: [1] }, target: { kind: 'command', command: ['true'] } })
  expectTypeOf<Runs<typeof program>['metrics'][string]>().toEqualTypeOf<number>()
  expectTypeOf<Runs<typeof program>['params']['x']>().toEqualTypeOf<1>()
  expect([...plan(one)]).toHaveLength([...plan(program)].length)
})

test('if include or an ablation adds other values, only the names are known', () => {
  const experiment = defineExperiment({
    name: 'e',
    factors: { x: [1, 2] },
    include: [{ x: 'three' }],
    target: ({ x }) => {
      // @ts-expect-error: it may be text
      const _: number = x
      return 0
    },
  })
  expect([...plan(experiment)].map(({ params }) => params.x)).toContain('three')
})

test('wrong definitions and options do not compile', () => {
  const wrong = [
    // @ts-expect-error: the key is called factors
    () => defineExperiment({ name: 'e', factor: { x: [1] }, target: () => 1 }),
    // @ts-expect-error: a goal is minimize or maximize
    () => defineExperiment({ name: 'e', target: () => 1, metrics: { m: { goal: 'small' } } }),
    // @ts-expect-error: a function is not a level
    () => defineExperiment({ name: 'e', factors: { x: [() => 1] }, target: () => 1 }),
    // @ts-expect-error: the option is called filter
    () => compare('results/e', { filters: ['x=1'] }),
    // @ts-expect-error: candidates are a list
    () => compare('results/e', { candidate: { x: 1 } }),
    // @ts-expect-error: seeds are numbers
    () => compare('results/e', { seed: '7' }),
    // @ts-expect-error: runs, or null, come first
    () => power({ sd: 1, effect: 1 }),
  ]
  for (const mistake of wrong) expect(mistake).toThrow()
})

test('the seams have types to write modules against', () => {
  const target: OwnTarget<{ readonly kind: string; readonly times: number }> = {
    kind: 'mine',
    bound: (_, run) => (run?.params.model === 'free' ? 0 : 'per_call'),
    async execute({ times }, run, context) {
      context.report({ metric: 'm', value: times * Number(run.params.x), step: null })
      return { kind: 'completed' }
    },
  }
  const source: MetricSource = {
    kind: 'mine',
    read: (_dir, metric) => ({ readings: [{ metric, value: 1 }], series: [] }),
  }
  const stopper: StopperRule = {
    type: 'mine',
    make: () => running => running.map(({ run }) => ({ run: run.name, reason: 'enough' })),
  }
  // @ts-expect-error: a run's outcome must be told
  const silent: OwnTarget = { kind: 'mine', async execute() {} }
  expectTypeOf(silent).toHaveProperty('kind')
  // @ts-expect-error: a planner is made by make
  const idle: PlannerMethod = { method: 'mine' }
  expectTypeOf(idle).toHaveProperty('method')
  expectTypeOf([target.kind, source.kind, stopper.type]).toEqualTypeOf<string[]>()
  expectTypeOf<Target>().toHaveProperty('execute')
  expectTypeOf<Planner>().toHaveProperty('ask')
  expectTypeOf<Dialect>().toHaveProperty('translate')
  expectTypeOf<Executor>().toHaveProperty('adopt')
  expectTypeOf<Stopper>().toBeFunction()
  expect(stopper.make({}, 'minimize')([], [])).toEqual([])
})
