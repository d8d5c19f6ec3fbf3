// The real programs that are tried: how they are installed, started and scripted.

const instruction = 'sum.js is wrong: it should add. Fix it, and run node test.js.'
const fix = "sed -i 's/a - b/a + b/' sum.js"

export const agents = [
  {
    name: 'codex',
    package: '@openai/codex@0.166.0',
    model: 'gpt-5.1-codex',
    provider: 'openai',
    argv: ({ dir, port, model }) => [
      'codex',
      'exec',
      '--skip-git-repo-check',
      // Its own sandbox would be one inside ours.
      '--dangerously-bypass-approvals-and-sandbox',
      ...['-C', dir, '-m', model, '-c', 'model_provider=assay'],
      '-c',
      `model_providers.assay={name="assay",base_url="http://127.0.0.1:${port}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`,
      instruction,
    ],
    variables: ({ home }) => ({ CODEX_HOME: home }),
    rules: () => [
      {
        offers: 'exec_command',
        script: [
          { reasoning: 'I look first.', tool: { name: 'exec_command', arguments: { cmd: 'cat sum.js' } } },
          { answer: 'It subtracts.', tool: { name: 'exec_command', arguments: { cmd: fix } } },
          { tool: { name: 'exec_command', arguments: { cmd: 'node test.js' } } },
          { answer: 'sum.js adds now, and its test passes.' },
        ],
      },
    ],
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code@2.1.197',
    model: 'claude-sonnet-4-5',
    provider: 'anthropic',
    argv: ({ model }) => [
      ...['claude', '-p', instruction, '--model', model],
      ...['--output-format', 'json', '--dangerously-skip-permissions'],
    ],
    variables: () => ({
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // It refuses to skip its permissions as root unless it is told that it is in a box.
      IS_SANDBOX: '1',
    }),
    rules: ({ dir }) => [
      {
        offers: 'Bash',
        script: [
          { tool: { name: 'Bash', arguments: { command: 'cat sum.js', description: 'Show the file' } } },
          { tool: { name: 'Read', arguments: { file_path: `${dir}/sum.js` } } },
          {
            answer: 'It subtracts.',
            tool: {
              name: 'Edit',
              arguments: { file_path: `${dir}/sum.js`, old_string: 'a - b', new_string: 'a + b' },
            },
          },
          { tool: { name: 'Bash', arguments: { command: 'node test.js', description: 'Run the test' } } },
          { answer: 'sum.js adds now, and its test passes.' },
        ],
      },
    ],
  },
]
