/** How the calls of models are made, kept and written down. */
export interface CallSettings {
  /** Every model is answered by a simulated one, at its real price. */
  readonly rehearse: boolean
  /** Whether an answer that was given before to the same question, in the same block and replicate, is used again. */
  readonly cache: boolean
  /** A folder that all answers are written to; absolute. */
  readonly record: string | null
  /** A folder that all answers are taken from; absolute. */
  readonly replay: string | null
  /** What is written down of each call: prompts and answers too, only the facts, or nothing. */
  readonly trace: 'content' | 'facts' | 'none'
}

export const usualCalls: CallSettings = { rehearse: false, cache: true, record: null, replay: null, trace: 'content' }
