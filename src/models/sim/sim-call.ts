import type { Message, Tool, ToolChoice } from '../model-call.ts'

/** The input of a simulated model. */
export interface SimCall {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
  readonly tool_choice?: ToolChoice | undefined
  readonly parallel_tool_calls?: boolean | undefined
  readonly schema?: unknown
  readonly stop?: readonly string[] | undefined
  readonly purpose: string
  readonly max_output_tokens: number
  /** Whether its reasoning is visible: always, never, or according to its rules. */
  readonly thinks?: boolean | undefined
  readonly seed: number
  /** Whether a try fails is drawn again for each; the answer is not. */
  readonly tries: number
}
