import { exactDollars } from '../../../util/words.ts'
import type { Exit } from './exit.ts'

/** What an agent may use. Part of the variant: an agent that reaches a limit is scored. 0: no limit. */
export interface AgentLimits {
  /** Questions to models: the agent's and those for summaries. Tries that fail at the provider don't count. */
  readonly calls: number
  /** At list price, whether or not answers were cached. */
  readonly costUsd: number
  readonly turns: number
  /** The models' answers and the commands together. */
  readonly timeMs: number
  /** Tokens of a prompt. */
  readonly contextTokens: number
  readonly commandMs: number
  /** All commands together. */
  readonly executionMs: number
  /** In a row. */
  readonly commandTimeouts: number
  readonly formatErrors: number
}

/** The amounts used so far. */
export interface Spent {
  readonly calls: number
  /** At list price; calls of unknown cost count with their maximum. */
  readonly priceUsd: number
  readonly turns: number
  readonly inferenceMs: number
  readonly executionMs: number
  /** In a row. */
  readonly commandTimeouts: number
  readonly formatErrors: number
}

/** Whether a limit leaves no room for another question; null: there is room. */
export function cutBy(spent: Spent, limits: AgentLimits): Exit | null {
  const { calls, priceUsd, turns, executionMs, commandTimeouts, formatErrors } = spent
  const is = (limit: number, used: number): boolean => limit > 0 && used >= limit
  if (is(limits.formatErrors, formatErrors))
    return { status: 'exit_format', message: `${formatErrors} answers in a row could not be used` }
  if (is(limits.commandTimeouts, commandTimeouts))
    return { status: 'exit_command_timeout', message: `${commandTimeouts} commands in a row ran out of time` }
  if (is(limits.executionMs, executionMs))
    return { status: 'exit_total_execution_time', message: `its commands took ${seconds(executionMs)}` }
  if (is(limits.calls, calls)) return { status: 'exit_cost', message: `it called models ${calls} times (call_limit)` }
  if (is(limits.costUsd, priceUsd))
    return { status: 'exit_cost', message: `its calls are worth ${exactDollars(priceUsd)} (cost_limit)` }
  if (is(limits.turns, turns)) return { status: 'exit_cost', message: `it had ${turns} turns (turn_limit)` }
  return is(limits.timeMs, timeOf(spent)) ? outOfTime(spent) : null
}

/** The result when the time limit ends an agent, even in the middle of an answer. */
export const outOfTime = (spent: Spent): Exit => ({
  status: 'exit_timeout',
  message: `it worked for ${seconds(timeOf(spent))} (time_limit)`,
})

const timeOf = ({ inferenceMs, executionMs }: Spent): number => inferenceMs + executionMs

/** How long the next command may take. */
export function commandTime(spent: Spent, limits: AgentLimits): number {
  return Math.min(left(limits.commandMs, 0), left(limits.executionMs, spent.executionMs), answerTime(spent, limits))
}

/** How long the next answer may take. */
export const answerTime = (spent: Spent, { timeMs }: AgentLimits): number => left(timeMs, timeOf(spent))

const left = (limit: number, used: number): number => (limit > 0 ? Math.max(1, limit - used) : Number.POSITIVE_INFINITY)

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`
