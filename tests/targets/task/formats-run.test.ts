import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSystemProgram } from '../../../src/targets/task/agents/find-program.ts'
import { assay, summaryOf } from '../../support/assay.ts'
import { needs } from '../../support/needs.ts'
import { meta, oneShot, terminalBench } from './formats/support.ts'
import { attemptsOf, benchmark, needsBubblewrap, resultsOf, runFolders, said } from './support.ts'

type Files = Readonly<Record<string, string>>

const at = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))

const target = (more: string): string => `target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, ${more} }\n`

/** A stand-in for pytest: imports the given file and runs its tests. Boxes have only this machine's programs. */
const ownPytest = `import importlib.util, os, sys
sys.path.insert(0, os.getcwd())
failed = 0
print("=== short test summary info ===")
for path in [word for word in sys.argv[1:] if not word.startswith("-")]:
    spec = importlib.util.spec_from_file_location("tested", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, test in list(vars(module).items()):
        if name.startswith("test"):
            try:
                test()
                print("PASSED %s::%s" % (path, name))
            except AssertionError as error:
                failed += 1
                print("FAILED %s::%s - %s" % (path, name, error))
print("=== done ===")
sys.exit(1 if failed else 0)
`

describe('a terminal-bench task', () => {
  it('is solved if all tests of the summary pass, also by a typed solution', async () => {
    await needsBubblewrap()
    const summary =
      '#!/bin/bash\necho "=== short test summary info ==="\ntest -e hello.txt && echo "PASSED t.py::there" || echo "FAILED t.py::there - no file"\necho "PASSED t.py::other"\necho "=== 2 tests ==="\n'
    const typed = '- command: echo hello > /tmp/word\n  block: true\n- command: cp /tmp/word hello.txt\n  block: true\n'
    const { 'solution.sh': _, ...withoutSolution } = terminalBench({ 'run-tests.sh': summary })
    const cwd = benchmark(
      {
        ...at('tasks/script', terminalBench({ 'run-tests.sh': summary })),
        ...at('tasks/typed', { ...withoutSolution, 'solution.yaml': typed }),
        ...at('tasks/broken', terminalBench({ 'run-tests.sh': '#!/bin/bash\necho no summary\n' })),
      },
      `${target('')}factors: { agent: [oracle, nop] }\n`,
    )
    const ended = await assay(['run', '--json', '-j', '2'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 6, completed: 4, failed: 2 })
    const classes = attemptsOf(cwd).flatMap(({ error_class }) => error_class ?? [])
    expect(classes.toSorted()).toEqual(['parse_error', 'parse_error'])
  })

  const terminal = `
- { command: cat > hello.txt, min_timeout_sec: 0.2 }
- { command: "it's typed;", append_enter: false }
- { command: Enter, append_enter: false }
- { command: C-d, append_enter: false, min_timeout_sec: 0.2 }
- { command: "cp hello.txt copy.txt\\n", block: true, max_timeout_sec: 60 }
`
  const { 'solution.sh': _, ...unsolved } = terminalBench({
    'run-tests.sh': `#!/bin/bash\necho "=== short test summary info ==="\ngrep -qx "it's typed;" copy.txt && echo "PASSED t.py::typed" || echo "FAILED t.py::typed - $(cat copy.txt)"\necho "=== 1 test ==="\n`,
  })

  it('types keys into a terminal, and waits only if the solution says so', async () => {
    await needsBubblewrap()
    needs(isSystemProgram('tmux'), 'tmux is not installed')
    const late = '- { command: sleep 60, block: true, max_timeout_sec: 0.2 }\n- { command: no, block: false }\n'
    const cwd = benchmark(
      {
        ...at('tasks/keys', { ...unsolved, 'solution.yaml': terminal }),
        ...at('tasks/late', { ...unsolved, 'solution.yaml': late }),
      },
      target('agent: oracle'),
    )
    const ended = await assay(['run', '--json', '-j', '2'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 2, pass: { passed: 1 } })
    const [typed = '', tooLate = ''] = runFolders(cwd)
    expect(readFileSync(join(typed, 'logs/agent.log'), 'utf8')).toContain("it's typed;")
    expect(readFileSync(join(tooLate, 'logs/agent-errors.log'), 'utf8')).toContain(
      'the command did not end within 0.2 s: sleep 60',
    )
  })

  it('is unsupported with typed keys and without tmux', async () => {
    await needsBubblewrap()
    const hidden = 'FROM x\nWORKDIR /app\nRUN rm -f /usr/bin/tmux /usr/local/bin/tmux /bin/tmux\n'
    needs(process.getuid?.() === 0, 'only root can hide a program in a box')
    const cwd = benchmark(
      at('tasks/keys', { ...unsolved, Dockerfile: hidden, 'solution.yaml': terminal }),
      target('agent: oracle'),
    )
    await assay(['run', '--json'], { cwd })
    expect(attemptsOf(cwd)).toMatchObject([
      { outcome: 'failed', unsupported_environment: true, message: "missing_tool: tmux can't be started in the box" },
    ])
  })
})

describe('a OneShot task', () => {
  const evaluation = {
    rubrics: [{ id: 'works', criterion: 'It works.', weight: 1 }],
    test_scripts: [
      { path: 'checks/run.sh', rubric_id: 'works', content: 'ls > /logs/artifacts/ls; grep -q hello greet.py\n' },
    ],
  }
  const look =
    'cat; echo; echo "limit $TIMEOUT_SEC word $WORD"; git log --oneline | cat; ls -A . ..; cat greet.py; echo "print(\\"hello\\")" > greet.py'
  const files = at(
    'tasks/greet',
    oneShot({
      'tb_meta.json': meta({ evaluation }),
      'repo/old.log': 'old',
      'repo/notes/a.md': 'note',
      'overlay_files/tool.sh': '#!/bin/sh\n',
      'overlay_repo_files/added.py': 'x = 1\n',
      'overrides.json': JSON.stringify({
        prompt: 'Overridden.',
        overlay_repo_files: { 'greet.py': 'overlaid\n' },
        remove_repo_paths: ['*.log', 'notes/'],
        environment_variables: { WORD: 'of the task', TIMEOUT_SEC: '77' },
      }),
    }),
  )

  it('has its repository with overlays and removals as one commit; overrides apply unless told not to', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      {
        ...files,
        'more.json': JSON.stringify({ prompt: 'From the file.', environment_variables: { WORD: 'of the file' } }),
      },
      `${target(`agents: { own: { command: [sh, -c, ${JSON.stringify(look)}] } }, agent: own`)}factors: { apply_overrides: [true, false], overrides: { values: [more.json, null] } }\norder: listed\n`,
    )
    const ended = await assay(['run', '--json', '-j', '1'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 4, completed: 4 })
    const logs = runFolders(cwd).map(folder => readFileSync(join(folder, 'logs', 'agent.log'), 'utf8'))
    const by = (start: string): readonly string[] => logs.filter(log => log.startsWith(start))
    expect([by('From the file.'), by('Overridden.'), by('Write a greeting.')].map(({ length }) => length)).toEqual([
      1, 1, 2,
    ])
    const [both = ''] = by('From the file.')
    expect(both).toContain('limit 77 word of the file')
    expect(both).toContain('overlaid')
    expect(both).toContain('added.py')
    expect(both).toContain('tool.sh')
    expect(both).not.toMatch(/old\.log|notes|tb_meta|diff\.patch/)
    expect(both).toMatch(/^[0-9a-f]+ baseline$/m)
    expect(by('Overridden.')[0]).toContain('word of the task')
    for (const log of by('Write a greeting.')) expect(log).toMatch(/old\.log[\s\S]*def greet/)
  })

  it('ends an agent after TIMEOUT_SEC, and scores its work', async () => {
    await needsBubblewrap()
    const slow = 'echo hello > greet.py; sleep 1000'
    const cwd = benchmark(
      files,
      `${target(`agents: { own: { command: [sh, -c, ${JSON.stringify(slow)}] } }, agent: own`)}params: { environment_variables: { TIMEOUT_SEC: 0.5 } }\n`,
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1, agent_metrics: { ended: 'timed_out' } })
  })

  it('refuses overrides with an unknown key', async () => {
    const cwd = benchmark({ ...files, 'tasks/greet/overrides.json': '{ "promt": "x" }' }, target('agent: nop'))
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status).toBe(2)
    expect(ended.stdout).toContain('promt')
  })
})

describe('a SWE-bench instance', () => {
  it('is solved if the named tests pass on the local repository; code that can’t be loaded fails', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      {},
      `target:
  kind: task
  tasks: set.jsonl
  repositories: clones
  sandbox: bubblewrap
  agents: { breaks: { command: [sh, -c, 'echo "raise SystemExit(4)" > tool.py'] } }
factors: { agent: [oracle, nop, breaks] }
order: listed
`,
    )
    const repo = join(cwd, 'clones', 'acme__tool')
    mkdirSync(join(repo, 'tests'), { recursive: true })
    const git = (...words: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: repo, encoding: 'utf8' })
    git('init', '--quiet')
    writeFileSync(join(repo, 'pytest.py'), ownPytest)
    writeFileSync(join(repo, 'tool.py'), 'def first(items):\n    return items[0]\n')
    git('add', '--all')
    git('commit', '--quiet', '--message=begin')
    const base_commit = git('rev-parse', 'HEAD').trim()
    const patchOf = (file: string, text: string): string => {
      writeFileSync(join(repo, file), text)
      git('add', '--all')
      const patch = git('diff', '--cached')
      git('commit', '--quiet', '--message=later')
      return patch
    }
    const patch = patchOf('tool.py', 'def first(items):\n    return items[0] if items else None\n')
    const test_patch = patchOf(
      'tests/test_tool.py',
      'import tool\n\n\ndef test_empty():\n    try:\n        assert tool.first([]) is None\n    except IndexError:\n        assert False\n\n\ndef test_full():\n    assert tool.first([1]) == 1\n',
    )
    const instance = {
      ...{ instance_id: 'acme__tool-7', repo: 'acme/tool', base_commit, patch, test_patch },
      problem_statement: 'first([]) fails',
      FAIL_TO_PASS: JSON.stringify(['tests/test_tool.py::test_empty']),
      PASS_TO_PASS: ['tests/test_tool.py::test_full'],
    }
    writeFileSync(join(cwd, 'set.jsonl'), `${JSON.stringify(instance)}\n`)
    const ended = await assay(['run', '--json', '-j', '1'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 3, completed: 3 })
    const results = runFolders(cwd).map(folder => {
      const { agent_metrics, total_score, test_results } = JSON.parse(
        readFileSync(join(folder, 'evaluation_results.json'), 'utf8'),
      )
      const passed = Object.values<{ success: boolean }>(test_results).filter(({ success }) => success).length
      return [agent_metrics.agent, total_score, passed]
    })
    expect(results.toSorted()).toEqual([
      ['breaks', 0, 0],
      ['nop', 0, 1],
      ['oracle', 1, 2],
    ])
  })
})
