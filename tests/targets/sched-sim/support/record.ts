import type { SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import type { Attempt } from '../../../../src/targets/sched-sim/simulate/graph/workflow.ts'
import type { SimListener } from '../../../../src/targets/sched-sim/simulate/listener.ts'
import { type SimResult, simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'

interface About {
  readonly at: number
  readonly workflow: number
  readonly node: number
  /** Workflow, iteration and node. */
  readonly key: string
}

/** All events of a simulation, in order. */
export type Happening =
  | (About & { readonly kind: 'runnable' })
  | (About & { readonly kind: 'queued'; readonly resource: string })
  | (About & { readonly kind: 'started'; readonly attempt: Attempt })
  | (About & { readonly kind: 'ended'; readonly attempt: Attempt; readonly ending: Attempt['ending'] | 'cancelled' })
  | { readonly at: number; readonly kind: 'done'; readonly workflow: number }

export type Started = Extract<Happening, { kind: 'started' }>
export type Ended = Extract<Happening, { kind: 'ended' }>

export interface Recording {
  readonly settings: SimSettings
  readonly result: SimResult
  readonly happenings: readonly Happening[]
  readonly started: readonly Started[]
  readonly ended: readonly Ended[]
}

export function record(settings: SimSettings): Recording {
  const happenings: Happening[] = []
  const about = (at: number, { id, iteration }: { id: number; iteration: number }, node: number): About => ({
    at,
    workflow: id,
    node,
    key: `${id}/${iteration}/${node}`,
  })
  const listener: SimListener = {
    runnable: (now, workflow, node) => void happenings.push({ kind: 'runnable', ...about(now, workflow, node) }),
    queued: (now, workflow, node, { name }) =>
      void happenings.push({ kind: 'queued', ...about(now, workflow, node), resource: name }),
    started: (now, attempt) =>
      void happenings.push({ kind: 'started', ...about(now, attempt.workflow, attempt.node), attempt }),
    ended: (now, attempt, ending) =>
      void happenings.push({ kind: 'ended', ...about(now, attempt.workflow, attempt.node), attempt, ending }),
    done: (now, { id }) => void happenings.push({ at: now, kind: 'done', workflow: id }),
  }
  const result = simulate(settings, listener)
  const started = happenings.filter(happening => happening.kind === 'started')
  const ended = happenings.filter(happening => happening.kind === 'ended')
  return { settings, result, happenings, started, ended }
}

export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** The charge of a call: its full price, or the used part of a cancelled one. */
export function chargeOf({ attempt, ending, at }: Ended, { model }: SimSettings): number {
  if (ending !== 'cancelled') return attempt.price
  return model.rules.charge_losers ? (attempt.price * (at - attempt.startedAt)) / attempt.durationMs : 0
}
