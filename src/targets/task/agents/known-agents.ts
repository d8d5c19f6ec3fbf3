import type { AgentCommand } from './agent-schema.ts'

/** An agent that is known by name. */
export interface KnownAgent extends AgentCommand {
  /** The package that brings the program. */
  readonly install: string
  /** It talks to its provider itself, past the proxy: its calls are not metered, and it needs the network and a key. */
  readonly isDirect?: true
}

/** The base address of a model proxy comes without `/v1`, as Anthropic's packages need it; OpenAI's need it. */
export const knownAgents: Readonly<Record<string, KnownAgent>> = {
  codex: {
    install: 'npm install -g @openai/codex',
    command: [
      'codex',
      'exec',
      '--skip-git-repo-check',
      // The box is the sandbox: codex can't make its own inside it.
      '--dangerously-bypass-approvals-and-sandbox',
      '-c',
      'model_provider=assay',
      '-c',
      'model_providers.assay={{name="assay",base_url="{base_url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}}',
      '-m',
      '{model}',
      '{instruction}',
    ],
  },
  claude: {
    install: 'npm install -g @anthropic-ai/claude-code',
    command: ['claude', '-p', '--output-format', 'json', '--model', '{model}', '--dangerously-skip-permissions'],
    instruction: 'stdin',
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // As root it asks for this before it works without asking.
      IS_SANDBOX: '1',
    },
  },
  aider: {
    install: 'pipx install aider-chat',
    command: [
      'aider',
      '--yes-always',
      '--no-auto-commits',
      '--no-check-update',
      '--no-analytics',
      '--no-show-model-warnings',
      '--model',
      'openai/{model}',
      '--message-file',
      '{instruction_file}',
    ],
  },
  gemini: {
    install: 'npm install -g @google/gemini-cli',
    command: ['gemini', '--yolo', '-m', '{model}', '-p', '{instruction}'],
    pass_env: ['GEMINI_API_KEY'],
    isDirect: true,
  },
}

/** Agents that are not programs: assay's own, the task's own solution, and doing nothing. */
export const builtInAgents = ['assay', 'oracle', 'nop'] as const
