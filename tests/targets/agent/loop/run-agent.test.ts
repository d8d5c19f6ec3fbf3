import { describe, expect, it } from 'vitest'
import { bash, promptOfTurn, scripted, simulated, submit, workOn } from '../support.ts'

describe('the loop', () => {
  it('runs commands until the model submits, and submits the diff', async () => {
    const { work, trajectory, results } = await workOn({
      models: scripted(bash('cat a.txt'), bash('echo two > a.txt'), submit),
    })
    expect(work).toMatchObject({ exitStatus: 'submitted', exit: { status: 'submitted' } })
    expect(work.diff).toContain('+two')
    expect(results).toEqual(['one', '(no output)', 'The work is submitted.'])
    expect(trajectory).toMatchObject({
      exit_status: 'submitted',
      submission: work.diff,
      recorded_by: 'assay',
      agent: { name: 'assay', model: 'sim/a', strategy: { strategy: 'raw' } },
    })
    expect(trajectory.history.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool'],
    ])
    expect(trajectory.turns.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['turn', 2, 4],
      ['turn', 4, 6],
      ['turn', 6, 8],
    ])
    expect(promptOfTurn(trajectory, 2)).toEqual(trajectory.history.slice(0, 6))
  })

  it('counts the usage of each turn, with the client’s totals', async () => {
    const { trajectory } = await workOn({ models: scripted(bash('true'), bash('true'), submit) })
    const { turns, totals } = trajectory
    const sum = (pick: (turn: (typeof turns)[number]) => number | null) =>
      turns.reduce((all, turn) => all + (pick(turn) ?? 0), 0)
    expect(totals.agent.calls).toBe(3)
    expect(sum(({ cost_usd }) => cost_usd)).toBeCloseTo(totals.agent.cost_usd ?? -1, 12)
    expect(sum(({ usage }) => usage?.input_tokens ?? 0)).toBe(totals.agent.raw_input_tokens)
    expect(sum(({ usage }) => usage?.output_tokens ?? 0)).toBe(totals.agent.output_tokens)
    expect(totals.agent.cost_usd).toBeGreaterThan(0)
    expect(totals.summary.calls).toBe(0)
  })

  it('keeps the working directory and exported variables from command to command', async () => {
    const { results } = await workOn({
      models: scripted(
        bash('mkdir -p "deep er/x"; cd "deep er/x"; export WORD="it\'s \\"two\\""; local_one=1; false'),
        bash('basename "$PWD"; echo "$WORD"; echo "${local_one:-gone}"; exit 3'),
        bash('basename "$PWD"; cd ../..; basename "$PWD"'),
        bash('basename "$PWD"; cd - > /dev/null; basename "$PWD"'),
        submit,
      ),
    })
    expect(results.slice(0, 4)).toEqual(['[exit code 1]', 'x\nit\'s "two"\ngone\n[exit code 3]', 'x\napp', 'app\nx'])
  })

  it('runs commands longer than the maximum argument', async () => {
    const text = 'x'.repeat(300_000)
    const { results } = await workOn({
      models: scripted(bash(`cat > long.txt <<'END'\n${text}\nEND\nwc -c < long.txt`), submit),
      settings: { max_output_tokens: 200_000 },
    })
    expect(results[0]).toBe('300001')
  })

  it('gives programs empty input', async () => {
    const { results } = await workOn({ models: scripted(bash('read line; echo "got [$line]"; cat'), submit) })
    expect(results[0]).toBe('got []')
  })

  it('runs parallel calls in order, answers each, and none after the submission', async () => {
    const call = (command: string) => ({ name: 'bash', arguments: { command } })
    const { results, trajectory, work } = await workOn({
      models: scripted({
        tools: [
          call('echo 1 >> log.txt; cd /'),
          { name: 'bash', arguments: {} },
          call('pwd | tail -c 2; false'),
          { name: 'submit', arguments: {} },
          call('echo late > late.txt'),
        ],
      }),
    })
    expect(work.exitStatus).toBe('submitted')
    expect(work.diff).not.toContain('late')
    expect(results).toHaveLength(5)
    expect(results[1]).toContain('"command"')
    expect(results[2]).toBe('/\n[exit code 1]')
    expect(results[4]).toContain('Not run')
    const [, , asked, ...answers] = trajectory.history
    expect(answers.map(answer => answer.role === 'tool' && answer.tool_call_id)).toEqual(
      asked?.role === 'assistant' ? asked.tool_calls?.map(({ id }) => id) : [],
    )
  })

  it('passes thoughts back unchanged', async () => {
    const { trajectory } = await workOn({
      models: scripted({ reasoning: 'First I look.', ...bash('ls') }, submit),
    })
    expect(promptOfTurn(trajectory, 1)[2]).toMatchObject({ reasoning: [{ text: 'First I look.' }] })
  })

  it.each([
    ['exit', 'submitted (exit_command)'],
    ['exit_forfeit', 'submitted (exit_forfeit)'],
  ])('treats %s as the end of the work, and submits it', async (command, status) => {
    const { work, trajectory } = await workOn({ models: scripted(bash('echo two > a.txt'), bash(command)) })
    expect(work.exitStatus).toBe(status)
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'autosubmit'])
  })

  it('asks a model without tools for fenced blocks, with the same history', async () => {
    const { work, trajectory, results } = await workOn({
      models: simulated(
        [
          {
            script: [
              { answer: 'I write it.\n```bash\necho two > a.txt\necho done\n```' },
              { answer: 'Nothing to run.' },
              { answer: '```submit\n```' },
            ],
          },
        ],
        { tools: false },
      ),
    })
    expect(work).toMatchObject({ exitStatus: 'submitted' })
    expect(work.diff).toContain('+two')
    expect(results[0]).toBe('done')
    expect(trajectory.history[0]?.content).toContain('```bash')
    expect(trajectory.history[2]).toMatchObject({
      role: 'assistant',
      tool_calls: [{ name: 'bash', arguments: { command: 'echo two > a.txt\necho done' } }],
    })
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['turn', 'again', 'turn'])
  })
})
