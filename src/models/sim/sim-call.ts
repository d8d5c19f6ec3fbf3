import type { Message, Tool, ToolChoice } from '../model-call.ts'

/** What a simulated model is asked. */
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
  /** Whether it thinks aloud: always, never, or as its rules say. */
  readonly thinks?: boolean | undefined
  readonly seed: number
  /** Whether a try fails is drawn anew for each; what is answered is not. */
  readonly tries: number
}
