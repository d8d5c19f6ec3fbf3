import type { ModelCall } from '../../../models/model-call.ts'
import type { SpanScope } from '../../../models/trace/run-trace.ts'
import type { Turn } from '../../../models/trajectory/trajectory.ts'
import type { Strategy } from '../strategies/strategy.ts'
import type { AgentLimits } from './limits.ts'
import type { Workplace } from './workplace.ts'

/** Everything that an agent's work needs. */
export interface AgentParts {
  readonly model: string
  readonly summarizer: string
  /** How models are asked: temperature and the like. */
  readonly sampling: Pick<ModelCall, 'temperature' | 'top_p' | 'max_output_tokens' | 'reasoning' | 'seed'>
  readonly limits: AgentLimits
  readonly strategy: Strategy
  readonly workplace: Workplace
  readonly scope: Pick<SpanScope, 'client' | 'tool'>
  /** Whether the model can call tools; otherwise it writes commands in fenced blocks. */
  readonly hasTools: boolean
  /** Whether its provider needs cache marks. */
  readonly wantsMarks: boolean
  /** Aborted when the time of the whole work is over: then the work is submitted as it is. */
  readonly deadline: AbortSignal
  readonly now: () => number
  onTurn(turn: Turn): void
}
