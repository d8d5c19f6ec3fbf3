import { arrivalTimes } from '../model/arrivals.ts'
import { partsOf, type SimSettings } from '../settings.ts'
import { AttemptDraws } from './attempt-draws.ts'
import { Calls } from './calls.ts'
import { type Choice, type Chooser, chooseNext, reachOf } from './choose.ts'
import { type EarlyStop, earlyStop } from './early-stop.ts'
import { Estimates } from './estimates.ts'
import { type StepGraph, stepGraph } from './graph/step-graph.ts'
import { type Attempt, type Ready, Workflow, type WorkflowStatus } from './graph/workflow.ts'
import type { SimListener } from './listener.ts'
import { agePerMs, scorer } from './queue/priority.ts'
import type { Score } from './queue/ready-queue.ts'
import { type Resource, resourcesOf } from './queue/resource.ts'
import type { Tier } from './queue/tier.ts'
import { type Event, Timeline } from './timeline.ts'

/** The results of a simulation. */
export interface SimResult {
  /** In the order in which they ended. */
  readonly workflows: readonly Workflow[]
  readonly resources: readonly Resource[]
  readonly graph: StepGraph
  /** When the last workflow ended, in virtual ms from the start. */
  readonly endMs: number
}

/** Discrete events in virtual time: nothing sleeps, and the same settings give the same result on any machine. */
export function simulate(settings: SimSettings, listener: SimListener = {}): SimResult {
  return new Simulation(settings, listener).run()
}

/** The workflows and their progress; {@link Calls} makes and pays the calls. */
class Simulation {
  readonly #settings: SimSettings
  readonly #listener: SimListener
  readonly #graph: StepGraph
  readonly #resources: readonly Resource[]
  /** For each step. */
  readonly #resourceOf: readonly Resource[]
  readonly #reachOf: readonly number[]
  readonly #timeline = new Timeline()
  readonly #estimates: Estimates
  readonly #attemptDraws: AttemptDraws
  readonly #calls: Calls
  readonly #chooser: Chooser
  readonly #mayStop: EarlyStop
  readonly #score: (workflow: Workflow, step: number) => Score
  readonly #arrivals: Float64Array
  readonly #ended: Workflow[] = []
  #queued = 0
  /** Resources for which something may have changed. */
  readonly #awake = new Set<Resource>()

  constructor(settings: SimSettings, listener: SimListener) {
    const { model, seed, workflows } = settings
    const parts = partsOf(settings)
    const steps = Object.values(model.steps)
    const resources = resourcesOf({ settings, agePerMs: agePerMs(settings, parts) })
    const graph = stepGraph(model, settings)
    this.#settings = settings
    this.#listener = listener
    this.#graph = graph
    this.#resources = [...resources.values()]
    this.#resourceOf = steps.map(step => resources.get(step.on) as Resource)
    this.#reachOf = steps.map((step, index) => reachOf(this.#resourceOf[index] as Resource, step.critical, parts))
    const first = this.#resourceOf.map(resource => resource.first)
    const estimates = new Estimates(graph, model, first)
    const attemptDraws = new AttemptDraws(settings, graph)
    const timeline = this.#timeline
    const onFree = (tier: Tier) => void this.#awake.add(resources.get(tier.owner) as Resource)
    this.#estimates = estimates
    this.#attemptDraws = attemptDraws
    this.#calls = new Calls({ settings, parts, graph, timeline, estimates, attemptDraws, listener, onFree })
    this.#chooser = { settings, parts, estimates, wakeAt: this.#wakeAt.bind(this) }
    this.#mayStop = earlyStop(model.early_stop, seed, settings)
    this.#score = scorer(settings, parts, estimates)
    this.#arrivals = arrivalTimes(model.arrivals, workflows, seed)
  }

  run(): SimResult {
    this.#expect(0)
    for (let event = this.#timeline.next(); event !== undefined; event = this.#timeline.next()) {
      this.#happen(event)
      // All that happens at one moment is known before anything is decided at it.
      if (this.#timeline.isMomentOver) this.#dispatch()
    }
    const endMs = this.#ended.at(-1)?.endedAt ?? 0
    return { workflows: this.#ended, resources: this.#resources, graph: this.#graph, endMs }
  }

  #happen(event: Event): void {
    switch (event.kind) {
      case 'arrival':
        this.#arrive(event.index)
        break
      case 'end':
        if (!event.attempt.isOver) this.#endOf(event.attempt)
        break
      case 'straggling':
        if (!event.attempt.isOver) this.#straggle(event.attempt)
        break
      case 'token':
        event.tier.isWaitingForToken = false
        this.#awake.add(event.resource)
        break
      case 'retry':
        if (event.workflow.status === 'waiting' && event.workflow.iteration === event.iteration)
          this.#enqueue(event.workflow, event.node)
    }
  }

  #expect(index: number): void {
    const time = this.#arrivals[index]
    if (time !== undefined) this.#timeline.plan(time, { kind: 'arrival', index })
  }

  #arrive(index: number): void {
    this.#beginIteration(new Workflow(index + 1, this.#timeline.now, this.#graph))
    this.#expect(index + 1)
  }

  #beginIteration(workflow: Workflow): void {
    workflow.totals.iterations++
    for (const root of this.#graph.roots) this.#beReady(workflow, root)
  }

  #beReady(workflow: Workflow, node: number): void {
    this.#listener.runnable?.(this.#timeline.now, workflow, node)
    this.#enqueue(workflow, node)
  }

  #enqueue(workflow: Workflow, node: number): void {
    const { now } = this.#timeline
    const step = this.#graph.stepOf[node] ?? 0
    const reach = this.#reachOf[step] ?? 1
    this.#wait({ workflow, node, step, since: now, place: this.#queued++, reach, isGone: false })
    this.#listener.queued?.(now, workflow, node, this.#resourceOfNode(node))
  }

  #wait(ready: Ready): void {
    const { workflow, step } = ready
    const resource = this.#resourceOf[step] as Resource
    workflow.queued.add(ready)
    resource.queue.add(ready, this.#score(workflow, step), this.#timeline.now)
    this.#awake.add(resource)
  }

  /** It waits on, changed; its place among equals stays. */
  #waitOn(ready: Ready, reach: number): void {
    this.#unqueue(ready)
    this.#wait({ ...ready, reach, isGone: false })
  }

  #unqueue(ready: Ready): void {
    this.#resourceOfNode(ready.node).queue.remove(ready, this.#timeline.now)
    ready.workflow.queued.delete(ready)
  }

  #dispatch(): void {
    for (const resource of this.#awake) {
      this.#awake.delete(resource)
      for (;;) {
        const choice = chooseNext(resource, this.#timeline.now, this.#chooser)
        if (choice === null) break
        this.#carryOut(choice, resource)
      }
    }
  }

  #wakeAt(resource: Resource, tier: Tier, time: number): void {
    tier.isWaitingForToken = true
    this.#timeline.plan(time, { kind: 'token', resource, tier })
  }

  #carryOut(choice: Choice, resource: Resource): void {
    switch (choice.kind) {
      case 'hedge':
        this.#hedge(choice.of, choice.tier)
        break
      case 'call':
        this.#call(choice.ready, resource, choice.tier)
        break
      case 'too_dear':
        if (choice.place > 0) this.#waitOn(choice.ready, choice.place)
        else if (!this.#giveUpHedges(choice.ready.workflow)) this.#finish(choice.ready.workflow, 'out_of_budget')
    }
  }

  #call(ready: Ready, resource: Resource, tier: Tier): void {
    const { workflow, node, since } = ready
    this.#unqueue(ready)
    const wait = this.#timeline.now - since
    tier.waits.push(wait)
    if (tier === resource.first) resource.recentWaits.add(wait)
    else {
      tier.totals.escalations++
      workflow.totals.escalations++
    }
    this.#calls.begin(workflow, node, tier, false)
    if (workflow.startedAt === null) this.#startAgeing(workflow)
  }

  /** From its first call on a workflow ages, and so do its other waiting nodes. */
  #startAgeing(workflow: Workflow): void {
    workflow.startedAt = this.#timeline.now
    for (const ready of [...workflow.queued]) this.#waitOn(ready, ready.reach)
  }

  #straggle(attempt: Attempt): void {
    const hedges = attempt.workflow.hedges[attempt.node] ?? 0
    if (hedges >= this.#settings.model.hedging.max_per_step) return
    const resource = this.#resourceOfNode(attempt.node)
    resource.stragglers.push(attempt)
    this.#awake.add(resource)
  }

  #hedge({ workflow, node }: Attempt, tier: Tier): void {
    workflow.hedges[node] = (workflow.hedges[node] ?? 0) + 1
    workflow.totals.hedges_launched++
    tier.totals.hedges++
    this.#calls.begin(workflow, node, tier, true)
  }

  /** A required step precedes a second call for a running one: the money reserved for that is released. */
  #giveUpHedges(workflow: Workflow): boolean {
    const calls = [...workflow.running]
    const hedges = calls.filter(
      ({ isHedge, node }) => isHedge && calls.some(twin => !twin.isHedge && twin.node === node),
    )
    for (const hedge of hedges) this.#calls.cancel(hedge)
    return hedges.length > 0
  }

  #endOf(attempt: Attempt): void {
    this.#calls.end(attempt)
    if (attempt.ending === 'ok') this.#succeed(attempt)
    else this.#tryAgain(attempt)
  }

  #tryAgain({ workflow, node, tier }: Attempt): void {
    const failures = (workflow.failures[node] ?? 0) + 1
    workflow.failures[node] = failures
    // Its twin may still succeed.
    for (const other of workflow.running) if (other.node === node) return
    if (failures > tier.spec.retries) {
      this.#finish(workflow, 'failed')
      return
    }
    workflow.totals.retries++
    const { now } = this.#timeline
    const time = now + this.#attemptDraws.backOffMs(workflow, node, failures)
    this.#timeline.plan(time, { kind: 'retry', workflow, node, iteration: workflow.iteration })
  }

  #succeed({ workflow, node, isHedge }: Attempt): void {
    if (isHedge) workflow.totals.hedges_won++
    if ((workflow.hedges[node] ?? 0) > 0)
      for (const other of [...workflow.running]) if (other.node === node) this.#calls.cancel(other)
    const step = this.#graph.stepOf[node] ?? 0
    workflow.unfinished[step] = (workflow.unfinished[step] ?? 0) - 1
    workflow.left--
    for (const child of this.#graph.children[node] ?? []) {
      const waits = (workflow.waitsFor[child] ?? 0) - 1
      workflow.waitsFor[child] = waits
      if (waits === 0) this.#beReady(workflow, child)
    }
    if (workflow.left === 0) this.#decide(workflow)
  }

  #decide(workflow: Workflow): void {
    const isEnough = this.#graph.decider < 0 || this.#mayStop(workflow.id, workflow.iteration)
    if (this.#graph.decider >= 0) this.#estimates.learnDecision(!isEnough)
    if (isEnough) this.#finish(workflow, 'completed')
    else {
      workflow.nextIteration(this.#graph)
      this.#beginIteration(workflow)
    }
  }

  #finish(workflow: Workflow, status: WorkflowStatus): void {
    workflow.status = status
    workflow.endedAt = this.#timeline.now
    for (const attempt of [...workflow.running]) this.#calls.cancel(attempt)
    for (const ready of [...workflow.queued]) this.#unqueue(ready)
    this.#ended.push(workflow)
    this.#listener.done?.(this.#timeline.now, workflow, this.#ended.length)
  }

  #resourceOfNode(node: number): Resource {
    return this.#resourceOf[this.#graph.stepOf[node] ?? 0] as Resource
  }
}
