// The tested real programs: how they are installed, and how a script makes them solve a task with their own tools.

const done = { answer: 'The task is solved, and I have looked at the result.' }

export const agents = [
  {
    name: 'codex',
    package: '@openai/codex@0.166.0',
    model: 'gpt-5.1-codex',
    provider: 'openai',
    variables: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
    rules: ({ file, solve }) => {
      const run = cmd => ({ name: 'exec_command', arguments: { cmd } })
      const script = [
        { reasoning: 'I look first.', tool: run(`cat ${file}`) },
        { answer: 'I know what to do.', tool: run(solve) },
        { tool: run(`python3 -m py_compile ${file}`) },
        done,
      ]
      return [{ offers: 'exec_command', script }]
    },
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code@2.1.197',
    model: 'claude-sonnet-4-5',
    provider: 'anthropic',
    variables: { key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
    rules: ({ file, workdir, solve }) => {
      const run = (command, description) => ({ name: 'Bash', arguments: { command, description } })
      const script = [
        { tool: run('ls', 'Look around') },
        { tool: { name: 'Read', arguments: { file_path: `${workdir}/${file}` } } },
        { answer: 'I know what to do.', tool: run(solve, 'Solve it') },
        { tool: run(`python3 -m py_compile ${file}`, 'Try it') },
        done,
      ]
      return [{ offers: 'Bash', script }]
    },
  },
]
