import type { Tier } from '../queue/tier.ts'
import type { StepGraph } from './step-graph.ts'

export type WorkflowStatus = 'waiting' | 'completed' | 'failed' | 'out_of_budget'

/** The totals of a workflow, for its row in the output. */
export interface WorkflowTotals {
  iterations: number
  cost: number
  attempts: number
  retries: number
  failures: number
  timeouts: number
  cancellations: number
  hedges_launched: number
  hedges_won: number
  escalations: number
  wasted_ms: number
  wasted_cost: number
}

/** A running workflow: which nodes of its current iteration wait for what. */
export class Workflow {
  /** From 1, in the order of submission. */
  readonly id: number
  readonly submittedAt: number
  startedAt: number | null = null
  endedAt: number | null = null
  status: WorkflowStatus = 'waiting'
  iteration = 0
  readonly totals: WorkflowTotals = {
    iterations: 0,
    cost: 0,
    attempts: 0,
    retries: 0,
    failures: 0,
    timeouts: 0,
    cancellations: 0,
    hedges_launched: 0,
    hedges_won: 0,
    escalations: 0,
    wasted_ms: 0,
    wasted_cost: 0,
  }
  /** Money reserved for calls in flight. */
  reserved = 0
  readonly running = new Set<Attempt>()
  readonly queued = new Set<Ready>()
  /** Per node of this iteration. */
  readonly waitsFor: Int32Array
  readonly failures: Int32Array
  readonly attempts: Int32Array
  readonly hedges: Int32Array
  /** Nodes of each step that have not succeeded yet. */
  readonly unfinished: Int32Array
  left: number

  constructor(id: number, submittedAt: number, graph: StepGraph) {
    this.id = id
    this.submittedAt = submittedAt
    this.waitsFor = graph.waitsFor.slice()
    this.failures = new Int32Array(graph.nodes)
    this.attempts = new Int32Array(graph.nodes)
    this.hedges = new Int32Array(graph.nodes)
    this.unfinished = graph.nodesPerStep.slice()
    this.left = graph.nodes
  }

  nextIteration(graph: StepGraph): void {
    this.iteration++
    this.waitsFor.set(graph.waitsFor)
    this.failures.fill(0)
    this.attempts.fill(0)
    this.hedges.fill(0)
    this.unfinished.set(graph.nodesPerStep)
    this.left = graph.nodes
  }
}

/** A node that waits for a resource. */
export interface Ready {
  readonly workflow: Workflow
  readonly node: number
  readonly step: number
  /** When it became ready. */
  readonly since: number
  /** Its position among equals, in order of arrival. */
  readonly place: number
  /** How many of the resource's tiers, in the order in which they are tried, it may use. */
  readonly reach: number
  /** The node no longer waits here: it was taken, moved, or its workflow ended. */
  isGone: boolean
}

/** A running call. */
export interface Attempt {
  readonly workflow: Workflow
  readonly node: number
  /** The number of the node's try, including hedges, from 1. */
  readonly number: number
  readonly tier: Tier
  /** Which of the tier's slots it has. */
  readonly lane: number
  readonly startedAt: number
  readonly durationMs: number
  /** How it will end unless it is cancelled: drawn when it starts. */
  readonly ending: 'ok' | 'failed' | 'timeout'
  readonly price: number
  readonly isHedge: boolean
  /** It ended, or was cancelled: later events about it mean nothing. */
  isOver: boolean
}
