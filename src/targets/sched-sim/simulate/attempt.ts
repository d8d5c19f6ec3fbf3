import type { Resource } from './resource.ts'
import type { Tier } from './tier.ts'
import type { Workflow } from './workflow.ts'

/** How a call will end if nobody cancels it: drawn when it starts. */
export interface Fate {
  readonly durationMs: number
  readonly ending: 'ok' | 'failed' | 'timeout'
}

/** One call under way. */
export interface Attempt extends Fate {
  readonly workflow: Workflow
  readonly node: number
  /** The how-many-th try of its node, hedges included, from 1. */
  readonly number: number
  readonly resource: Resource
  readonly tier: Tier
  readonly lane: number
  readonly startedAt: number
  readonly price: number
  readonly isHedge: boolean
  /** It ended, or was cancelled: later events about it mean nothing. */
  isOver: boolean
}
