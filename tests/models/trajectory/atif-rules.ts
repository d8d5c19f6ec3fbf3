/**
 * The rules that validators of ATIF enforce, written from the format's description and independent of assay's reader:
 * each broken one is a sentence.
 */
export function brokenRules(document: unknown): readonly string[] {
  const problems: string[] = []
  checkRoot(document, problems, true)
  return problems
}

type Fields = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const rootFields =
  'schema_version session_id trajectory_id agent steps notes final_metrics continued_trajectory_ref subagent_trajectories extra'
const agentOnly = 'model_name reasoning_effort reasoning_content tool_calls metrics llm_call_count is_copied_context'
const stepFields = `step_id timestamp source message observation ${agentOnly} extra`
const metricFields =
  'prompt_tokens completion_tokens cached_tokens cost_usd prompt_token_ids completion_token_ids logprobs extra'
const finalFields = 'total_prompt_tokens total_completion_tokens total_cached_tokens total_cost_usd total_steps extra'

function checkRoot(value: unknown, problems: string[], isTop: boolean): void {
  if (!isObject(value)) return void problems.push('the document is no object')
  only(value, rootFields, 'root', problems)
  if (value.schema_version !== 'ATIF-v1.7') problems.push('schema_version')
  if (!isTop && typeof value.trajectory_id !== 'string') problems.push('a subagent has no trajectory_id')
  const { agent } = value
  if (!isObject(agent) || typeof agent.name !== 'string' || typeof agent.version !== 'string') problems.push('agent')
  else {
    only(agent, 'name version model_name tool_definitions extra', 'agent', problems)
    for (const tool of listOf(agent.tool_definitions)) if (!isObject(tool)) problems.push('tool_definitions')
  }
  for (const [at, step] of listOf(value.steps).entries()) checkStep(step, at, problems)
  if (value.notes !== undefined && typeof value.notes !== 'string') problems.push('notes')
  if (isObject(value.final_metrics)) {
    only(value.final_metrics, finalFields, 'final_metrics', problems)
    numbers(value.final_metrics, 'final_metrics', problems)
    if (value.final_metrics.total_steps !== listOf(value.steps).length) problems.push('total_steps')
  }
  const subagents = listOf(value.subagent_trajectories)
  const ids = subagents.map(one => (isObject(one) ? one.trajectory_id : null))
  if (new Set(ids).size !== ids.length) problems.push('two subagents have one trajectory_id')
  for (const one of subagents) checkRoot(one, problems, false)
}

function checkStep(step: unknown, at: number, problems: string[]): void {
  if (!isObject(step)) return void problems.push(`step ${at} is no object`)
  only(step, stepFields, `step ${at}`, problems)
  if (step.step_id !== at + 1) problems.push(`step ${at} has step_id ${step.step_id}`)
  if (!['system', 'user', 'agent'].includes(String(step.source))) problems.push(`source of step ${at}`)
  if (step.source !== 'agent')
    for (const field of agentOnly.split(' ')) if (step[field] !== undefined) problems.push(`${field} of step ${at}`)
  if (step.source === 'user' && step.observation !== undefined) problems.push(`observation of step ${at}`)
  if (step.timestamp !== undefined && Number.isNaN(Date.parse(String(step.timestamp)))) problems.push(`timestamp ${at}`)
  checkContent(step.message, `message of step ${at}`, problems)
  const calls = new Set<unknown>()
  for (const call of listOf(step.tool_calls)) {
    if (!isObject(call)) return void problems.push(`tool call of step ${at}`)
    only(call, 'tool_call_id function_name arguments extra', `call of step ${at}`, problems)
    const isFine = typeof call.tool_call_id === 'string' && typeof call.function_name === 'string'
    if (!isFine || !isObject(call.arguments)) problems.push(`tool call of step ${at}`)
    calls.add(call.tool_call_id)
  }
  if (isObject(step.metrics)) {
    only(step.metrics, metricFields, `metrics of step ${at}`, problems)
    numbers(step.metrics, `metrics of step ${at}`, problems)
  }
  if (!isObject(step.observation)) return
  for (const result of listOf(step.observation.results)) {
    if (!isObject(result)) return void problems.push(`result of step ${at}`)
    only(result, 'source_call_id content subagent_trajectory_ref extra', `result of step ${at}`, problems)
    const { source_call_id: id } = result
    if (id !== undefined && !calls.has(id)) problems.push(`result of step ${at} names the call ${id}`)
    checkContent(result.content, `result of step ${at}`, problems)
  }
}

function checkContent(content: unknown, where: string, problems: string[]): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) return void problems.push(`${where} is neither text nor parts`)
  for (const part of content) {
    const isText = isObject(part) && part.type === 'text' && typeof part.text === 'string' && part.source === undefined
    const source = isObject(part) && part.type === 'image' && part.text === undefined ? part.source : null
    const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
    const isImage = isObject(source) && typeof source.path === 'string' && types.includes(String(source.media_type))
    if (!isText && !isImage) problems.push(`${where} has a part that is neither text nor image`)
  }
}

function only(value: Fields, fields: string, where: string, problems: string[]): void {
  for (const key of Object.keys(value)) if (!fields.split(' ').includes(key)) problems.push(`${where} has ${key}`)
}

function numbers(value: Fields, where: string, problems: string[]): void {
  for (const [key, one] of Object.entries(value))
    if (key !== 'extra' && typeof one !== 'number') problems.push(`${where}: ${key} is no number`)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
