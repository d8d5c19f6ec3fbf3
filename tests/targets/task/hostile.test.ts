import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { meta, oneShot } from './formats/support.ts'
import {
  answerTask,
  attemptsOf,
  benchmark,
  fileOfRun,
  needsBubblewrap,
  resultsOf,
  runFolders,
  said,
} from './support.ts'

const withAgent = (command: string, more = ''): string => `
target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { own: { command: [sh, -c, ${JSON.stringify(command)}] } }
  agent: own
${more}
`

describe('the files of a hostile agent', () => {
  it('reach no file of this machine through links', async () => {
    await needsBubblewrap()
    const outside = folderWith({ 'instruction.md': 'mine', 'test-stdout.txt': 'mine' })
    const link = (file: string, folder: string): string => `ln -sf ${join(outside, file)} ${folder}/${file}`
    const files = {
      'tasks/two/task.toml': '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
      'tasks/two/environment/Dockerfile': 'FROM scratch\nWORKDIR /app\n',
      ...Object.fromEntries(
        ['one', 'two'].flatMap(name => [
          [`tasks/two/steps/${name}/instruction.md`, `Do step ${name}.\n`],
          // The program under test creates the second link: tests run the agent's code.
          [`tasks/two/steps/${name}/tests/test.sh`, '#!/bin/sh\n. ./work.sh\necho 1 > /logs/verifier/reward.txt\n'],
        ]),
      ),
    }
    const agent = `cat /logs/agent/instruction.md; rm /logs/agent/instruction.md; ${link('instruction.md', '/logs/agent')}; echo '${link('test-stdout.txt', '/logs/verifier')}' > work.sh`
    const cwd = benchmark(files, withAgent(agent))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    for (const file of ['instruction.md', 'test-stdout.txt'])
      expect(readFileSync(join(outside, file), 'utf8')).toBe('mine')
    expect(fileOfRun(cwd, 'logs/agent-two.log')).toBe('Do step two.\n')
    expect(resultsOf(cwd).total_score).toBe(1)
  })

  it('are copied without links, devices and pipes, up to a size limit', async () => {
    await needsBubblewrap()
    const files = answerTask({
      'tasks/answer/task.toml':
        'artifacts = ["/app/out", { source = "/etc/hostname", destination = "deep/name" }, "/nowhere"]\n',
      'tasks/answer/tests/test.sh': '#!/bin/sh\nexit 0\n',
    })
    const agent = [
      'mkdir out && cd out && echo kept > kept.txt && ln -s /etc/passwd link && mkfifo pipe && ln -s /proc/self/environ environ',
      'truncate -s 300M huge && mkdir -p "a b/ü" && echo x > "a b/ü/n"',
      'mkfifo /logs/agent/pipe && ln -s /etc/shadow /logs/artifacts/shadow && truncate -s 300M /logs/artifacts/sparse',
    ].join(' && ')
    const cwd = benchmark(files, withAgent(agent))
    await assay(['run', '--json'], { cwd })
    const [folder = ''] = runFolders(cwd)
    const manifest = JSON.parse(fileOfRun(cwd, 'artifacts/manifest.json'))
    expect(manifest.files.map((file: { path: string }) => file.path)).toEqual(
      expect.arrayContaining(['out/kept.txt', 'out/a b/ü/n', 'deep/name']),
    )
    expect(manifest.files.some((file: { path: string }) => /link|pipe|environ|huge/.test(file.path))).toBe(false)
    const left = Object.fromEntries(manifest.left_out.map((one: { path: string; why: string }) => [one.path, one.why]))
    expect(left).toMatchObject({
      '/app/out/link': 'a link',
      '/app/out/pipe': 'a pipe',
      '/app/out/huge': expect.stringContaining('too large'),
      '/nowhere': 'not there',
    })
    expect(JSON.parse(fileOfRun(cwd, 'artifacts/repo_info.json')).touched_files).toContain('out/a b/ü/n')
    // The tests wrote no reward: scoring again copies the agent's files without errors.
    const again = await assay(['run', '--json', '--retry-failed'], { cwd })
    expect(summaryOf(again), said(again)).toMatchObject({ failed: 1, attempts: 2 })
    expect(attemptsOf(cwd)[1]).toMatchObject({ mode: 'score', error_class: 'reward_file_not_found' })
    expect(readdirSync(join(folder, 'logs', 'artifacts'))).toEqual([])
    expect(existsSync(join(folder, 'logs', 'agent', 'pipe'))).toBe(false)
  })

  it('are bounded and reported: output, memory, storage, processes left behind, an end by a signal', async () => {
    await needsBubblewrap()
    const agents = {
      flood: 'echo 42 > answer.txt; echo begin; head -c 30000000 /dev/zero | tr "\\0" x; echo end',
      hungry: 'echo 42 > answer.txt; exec python3 -c "x = bytearray(400000000); print(len(x))"',
      hoarder:
        'echo 42 > answer.txt; while :; do head -c 4000000 /dev/zero > /logs/artifacts/$(date +%N) || exit 1; sleep 0.02; done',
      parent: 'echo 42 > answer.txt; setsid sleep 1000 >/dev/null 2>&1 & sleep 0.1',
      crash: 'echo 42 > answer.txt; kill -SEGV $$',
    }
    const toml = '[agent]\ntimeout_sec = 120.0\n[environment]\nmemory_mb = 200\nstorage_mb = 60\n'
    // Tests that last as long as it takes to look at the storage, which the hoarder left full.
    const test = answerTask()['tasks/answer/tests/test.sh']?.replace('\n', '\nsleep 0.4\n') ?? ''
    const cwd = benchmark(
      answerTask({ 'tasks/answer/task.toml': toml, 'tasks/answer/tests/test.sh': test }),
      `target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  output_mb: 1
  agents:
${Object.entries(agents)
  .map(([name, command]) => `    ${name}: { command: [sh, -c, ${JSON.stringify(command)}] }`)
  .join('\n')}
factors: { agent: [${Object.keys(agents).join(', ')}] }
`,
    )
    const ended = await assay(['run', '--json', '-j', '2'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 5, completed: 5 })
    const found = Object.fromEntries(
      runFolders(cwd).map(folder => {
        const results = JSON.parse(readFileSync(join(folder, 'evaluation_results.json'), 'utf8'))
        return [results.agent_metrics.agent, { ...results.agent_metrics, score: results.total_score, folder }]
      }),
    )
    for (const name of Object.keys(agents)) expect(found[name].score, name).toBe(1)
    expect(found).toMatchObject({
      flood: { ended: 'exited', exit_code: 0, limits_reached: ['output'] },
      hungry: { ended: 'out_of_memory', limits_reached: ['memory'] },
      hoarder: { ended: 'out_of_storage', limits_reached: ['storage'] },
      parent: { ended: 'exited', left_running: ['sleep'] },
      crash: { exit_code: null, signal: 'SIGSEGV' },
    })
    const log = readFileSync(join(found.flood.folder, 'logs', 'agent.log'), 'utf8')
    expect(log.length).toBeLessThan(1_100_000)
    expect(log).toMatch(/^begin\nx[\s\S]*bytes of output were not kept[\s\S]*end\n$/)
    const classes = attemptsOf(cwd).map(({ error_class }) => error_class)
    expect(classes.toSorted()).toEqual([
      'agent_error',
      'agent_out_of_memory',
      'agent_out_of_storage',
      undefined,
      undefined,
    ])
  })

  it('can’t replace a missing tool: tests of files without pytest are unscored, and a fake fails', async () => {
    await needsBubblewrap()
    const evaluation = {
      rubrics: [{ id: 'works', criterion: 'It works.', weight: 1 }],
      test_scripts: [{ path: 'test_it.py', rubric_id: 'works', content: 'def test_it():\n    import greet\n' }],
    }
    const task = Object.fromEntries(
      Object.entries(oneShot({ 'tb_meta.json': meta({ evaluation }) })).map(([name, text]) => [
        `tasks/greet/${name}`,
        text,
      ]),
    )
    // Neither agent knows whether this machine's boxes have pytest: both bring their own.
    const lies =
      'echo \'import sys; print("/usr/bin/python3: No module named pytest"); print("also this"); sys.exit(1)\' > pytest.py'
    const passes = "echo 'import greet' > pytest.py"
    const cwd = benchmark(
      task,
      `target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { liar: { command: [sh, -c, ${JSON.stringify(lies)}] }, own: { command: [sh, -c, ${JSON.stringify(passes)}] } }
factors: { agent: [liar, own, nop] }
order: listed
`,
    )
    const ended = await assay(['run', '--json', '-j', '1'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 3 })
    const [liar, own, nothing] = attemptsOf(cwd)
    expect([liar?.outcome, own?.outcome]).toEqual(['completed', 'completed'])
    if (nothing?.outcome === 'failed') expect(nothing.error_class).toBe('missing_tool')
  })
})
