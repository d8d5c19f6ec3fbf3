import type { Message } from '../../../src/models/model-call.ts'

/** Small files as each version of SWE-agent and its fork writes them. */

/** 0.x: the state is a text, statistics are `tokens_sent` and `tokens_received`, no times. */
export const legacy = {
  environment: 'swe_main',
  trajectory: [
    {
      action: 'ls\n',
      observation: 'a.py',
      response: 'Look.\n```\nls\n```',
      state: '{"open_file": "n/a"}',
      thought: 'Look.',
    },
    { action: 'submit\n', observation: 'diff', response: 'Done.\n```\nsubmit\n```', state: '{}', thought: 'Done.' },
  ],
  history: [
    { role: 'system', content: 'SETTING', agent: 'primary' },
    { role: 'user', content: 'a demonstration', agent: 'primary', is_demo: true },
    { role: 'user', content: 'Fix it.', agent: 'primary' },
    { role: 'assistant', content: 'Look.\n```\nls\n```', thought: 'Look.', action: 'ls\n', agent: 'primary' },
    { role: 'user', content: 'a.py', agent: 'primary' },
    { role: 'assistant', content: 'Done.\n```\nsubmit\n```', thought: 'Done.', action: 'submit\n', agent: 'primary' },
  ],
  info: {
    exit_status: 'submitted',
    submission: '\ndiff --git a/a.py b/a.py\n+x\n\n',
    model_stats: { total_cost: 0.5, instance_cost: 0.5, tokens_sent: 1000, tokens_received: 20, api_calls: 2 },
  },
}

const tokens = (raw_input: number, cached_input: number, output: number, internal_reasoning: number | null = null) => ({
  raw_input,
  cached_input,
  output,
  internal_reasoning,
})

const step = (action: string, more: object = {}) => ({
  action,
  observation: `output of ${action}`,
  response: `I run ${action}`,
  thought: `I run ${action}`,
  execution_time: 0.5,
  state: { open_file: 'n/a', working_dir: '/repo' },
  messages: [{ role: 'user', content: 'the prompt after it, which is not read' }],
  extra_info: {},
  turn_statistics: { cost: 0.25, tokens: tokens(100, 50, 10, 4), internal_reasoning: 'hm', inference_time: 2000 },
  ...more,
})

const said = (action: string, id: string) => [
  {
    role: 'assistant',
    content: `I run ${action}`,
    message_type: 'action',
    action,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command: action }) } }],
  },
  {
    role: 'tool',
    content: [{ type: 'text', text: `output of ${action}` }],
    message_type: 'observation',
    tool_call_ids: [id],
  },
]

/** The fork: statistics of each turn, summaries, a summariser with separate statistics; one unusable answer. */
export const fork = {
  trajectory: [
    step('ls'),
    step('', {
      response: 'no command',
      observation: '',
      action: '',
      turn_statistics: null,
      execution_time: Number.NaN,
    }),
    step('cat a.py', { execution_time: 1 }),
    step('', {
      response: 'Exit due to cost limit',
      thought: '',
      observation: 'Exited (autosubmitted)',
      turn_statistics: null,
    }),
  ],
  history: [
    { role: 'system', content: 'SETTING', message_type: 'system_prompt' },
    { role: 'user', content: 'Fix it.', message_type: 'observation' },
    ...said('ls', 'c1'),
    ...said('cat a.py', 'c2'),
  ],
  summaries: [
    { summary: 'so far', context: [], statistics: { cost: 0.1, tokens: tokens(30, 0, 5), inference_time: 900 } },
  ],
  info: {
    exit_status: 'submitted (exit_cost)',
    submission: 'diff --git a/a.py b/a.py\n+x\n',
    agent_model_stats: { instance_cost: 0.5, api_calls: 3, tokens: tokens(200, 100, 20, 0) },
    summary_model_stats: { instance_cost: 0.1, api_calls: 1, tokens: tokens(30, 0, 5, 0) },
    model_stats: { instance_cost: 9, api_calls: 9, tokens: tokens(9, 9, 9) },
    swe_agent_version: '1.1.0',
    review: { accept: true },
  },
  replay_config: JSON.stringify({
    agent: {
      model: { name: 'deepseek/deepseek-chat' },
      history_processors: [
        { type: 'summarize_every_n_turns', n: 21, keep_last_m_turns: 10 },
        { type: 'last_n_observations', n: 10 },
      ],
    },
  }),
  environment: 'main',
}

/** A summariser with the agent's own model has no separate statistics. */
export const mergedSummary = {
  ...fork,
  info: {
    ...fork.info,
    agent_model_stats: { instance_cost: 0.6, api_calls: 4, tokens: tokens(230, 100, 25, 0) },
    summary_model_stats: null,
  },
}

const attempt = (cost: number) => ({
  trajectory: fork.trajectory.slice(0, 1),
  history: fork.history.slice(0, 4),
  info: {
    exit_status: 'submitted',
    submission: 'diff',
    agent_model_stats: { instance_cost: cost, api_calls: 1, tokens: tokens(100, 0, 10, 0) },
  },
})

/** The retry agent: the best attempt's fields are repeated at the top level. */
export const retried = {
  ...attempt(0.25),
  attempts: [attempt(1), attempt(0.25)],
  info: {
    ...attempt(0.25).info,
    best_attempt_idx: 1,
    rloop_model_stats: { instance_cost: 0.125, api_calls: 5, tokens: tokens(40, 0, 2, 0) },
    review: { accept: 0.75 },
  },
}

export const mini = {
  info: {
    exit_status: 'Submitted',
    submission: 'diff --git a/a b/a\n+x\n',
    model_stats: { instance_cost: 0.5, api_calls: 2 },
    mini_version: '1.14.0',
    config: { model: { model_name: 'anthropic/claude' } },
  },
  messages: [
    { role: 'system', content: 'You are helpful.' },
    { role: 'user', content: 'Fix it.' },
    {
      role: 'assistant',
      content: 'THOUGHT: look\n```bash\nls\n```',
      extra: {
        response: {
          usage: { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 60 } },
        },
        cost: 0.25,
      },
    },
    { role: 'user', content: '<output>a</output>' },
    {
      role: 'assistant',
      content: 'THOUGHT: done',
      timestamp: 1_760_000_000,
      extra: {
        response: {
          usage: { prompt_tokens: 150, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } },
        },
      },
    },
    { role: 'exit', content: 'done' },
  ],
  trajectory_format: 'mini-swe-agent-1',
}

/** A message as SWE-agent writes it: one result answers a list of calls. */
export const chatOf = (message: Message) => ({
  role: message.role,
  content: message.role === 'tool' ? [{ type: 'text', text: String(message.content) }] : message.content,
  ...(message.role === 'assistant' &&
    message.tool_calls !== undefined && {
      tool_calls: message.tool_calls.map(({ id, name, arguments: given }) => ({
        ...{ id, type: 'function' },
        function: { name, arguments: JSON.stringify(given) },
      })),
    }),
  ...(message.role === 'tool' && { tool_call_ids: [message.tool_call_id] }),
})
