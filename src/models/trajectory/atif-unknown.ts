import { type Atif, atifSchema } from './atif-schema.ts'

/** Known to ATIF, but a trajectory here has no place for them. */
const leftOut = ['reasoning_effort', 'prompt_token_ids', 'completion_token_ids', 'logprobs', 'subagent_trajectory_ref']

/** Fields of a file that a trajectory does not take over, each once, in the order in which they stand. */
export function unknownFields(atif: Atif): readonly string[] {
  const found = new Set<string>()
  const note = (object: object | null | undefined, known: ReadonlySet<string>, below: string): void => {
    if (object == null) return
    for (const [key, value] of Object.entries(object))
      if (value !== null && value !== undefined && !known.has(key)) found.add(`${below}${key}`)
  }
  note(atif, rootKeys, '')
  note(atif.agent, agentKeys, 'agent.')
  for (const step of atif.steps) {
    note(step, stepKeys, 'steps[].')
    note(step.metrics, metricKeys, 'steps[].metrics.')
    for (const result of step.observation?.results ?? []) note(result, resultKeys, 'steps[].observation.results[].')
  }
  return [...found]
}

const keysOf = (shape: object): ReadonlySet<string> => new Set(Object.keys(shape).filter(key => !leftOut.includes(key)))

const { shape } = atifSchema
const { shape: stepShape } = shape.steps.element
const rootKeys = keysOf(shape)
const agentKeys = keysOf(shape.agent.shape)
const stepKeys = keysOf(stepShape)
const metricKeys = keysOf(stepShape.metrics.unwrap().unwrap().shape)
const resultKeys = keysOf(stepShape.observation.unwrap().unwrap().shape.results.element.shape)
