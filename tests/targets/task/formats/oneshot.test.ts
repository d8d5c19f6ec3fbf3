import { describe, expect, it } from 'vitest'
import { removedPaths } from '../../../../src/targets/task/formats/oneshot/removed-paths.ts'
import { folderWith } from '../../../support/assay.ts'
import { meta, oneShot, problemsOf, sound, taskWith } from './support.ts'

it('reads a task whose repository is a folder beside it', () => {
  const task = sound(taskWith(oneShot()))
  expect(task).toMatchObject({
    id: 'greet_20250101_120000',
    title: 'Greet',
    format: 'oneshot',
    tags: ['coding'],
    rubrics: [{ id: 'works', criterion: 'It greets.', weight: 1, evaluationCriteria: [] }],
    environment: {
      repo: { kind: 'folder', path: `${task.dir}/repo`, isRepository: false, commit: null },
      workdir: '/app/repo',
    },
    overrides: null,
    notes: [],
  })
  expect(task.steps).toMatchObject([
    {
      instruction: 'Write a greeting.',
      agentSec: 1800,
      verifySec: 60,
      tests: { kind: 'files', files: [{ path: 'tests/test_greet.py', rubricId: 'works', command: null }] },
      solution: { kind: 'patch', patch: { file: `${task.dir}/diff.patch` } },
    },
  ])
  expect(task.needs).toEqual([{ kind: 'program', what: 'pytest', where: 'tests/test_greet.py' }])
})

it('reads a prepared folder, and keeps the solution and the tests in it from the agent', () => {
  const repo = { git_url: 'git@github.com:acme/greet.git', branch: 'dev', start_commit_sha: 'abc1234', subdir: 'x' }
  const task = sound(
    taskWith({
      'tb_meta.json': meta({ repo }),
      Dockerfile: 'FROM ubuntu:24.04\nRUN apt-get install -y git\n',
      'overlay_files/LM_INSTRUCTIONS.md': 'From the file.\n',
      'overlay_files/diff.patch': 'the solution',
      'overlay_files/tb_meta.json': 'the tests',
      'overlay_files/repo_info.json': '{}',
      'overlay_files/notes.md': '',
      'overlay_files/.env': 'KEY=1',
      'overlay_files/remove_repo_paths.txt': 'tests/old\n\n*.log\n',
      'overlay_files/tool.sh': 'true',
      'overlay_files/data/a.csv': '1',
      'overlay_repo_files/new.py': 'x',
    }),
  )
  expect(task.steps[0]).toMatchObject({
    instruction: 'From the file.\n',
    solution: { patch: { file: `${task.dir}/overlay_files/diff.patch` } },
  })
  expect(task.environment).toMatchObject({
    repo: { kind: 'git', url: 'https://github.com/acme/greet.git', branch: 'dev', commit: 'abc1234' },
    dockerfile: `${task.dir}/Dockerfile`,
    remove: ['tests/old', '*.log'],
    overlays: [
      { from: { folder: `${task.dir}/overlay_files/data` }, to: '/app/data' },
      { from: { file: `${task.dir}/overlay_files/tool.sh` }, to: '/app/tool.sh' },
      { from: { folder: `${task.dir}/overlay_repo_files` }, to: '/app/repo' },
    ],
  })
  expect(task.needs.map(({ what }) => what)).toEqual([
    'https://github.com/acme/greet.git',
    'ubuntu:24.04',
    'apt-get install -y git',
    'pytest',
  ])
  expect(task.notes).toEqual(['tb_meta.json: repo.subdir: the whole repository is used, as OneShot does'])
})

it('uses the tip of the branch for an empty commit and for HEAD', () => {
  for (const start_commit_sha of ['', 'HEAD', null]) {
    const repo = { git_url: 'https://example.com/a.git', start_commit_sha }
    const task = sound(taskWith(oneShot({ 'tb_meta.json': meta({ repo }) })))
    expect(task.environment.repo).toEqual({
      kind: 'git',
      url: 'https://example.com/a.git',
      branch: 'main',
      commit: null,
    })
  }
})

it('judges three general rubrics if the evaluation is missing or in the old form', () => {
  for (const evaluation of [undefined, {}, { content_rubric: [1], location_rubric: [], clarity_rubric: [] }]) {
    const task = sound(taskWith(oneShot({ 'tb_meta.json': meta({ evaluation }) })))
    expect(task.rubrics.map(({ id, weight }) => [id, weight])).toEqual([
      ['task_completion', 0.4],
      ['code_quality', 0.3],
      ['testing', 0.3],
    ])
    expect(task.needs.filter(({ kind }) => kind === 'judge')).toHaveLength(3)
    expect(task.notes[0]).toContain('three general rubrics')
  }
})

it('needs a judge for rubrics without tests only, and runs a test by its command', () => {
  const evaluation = {
    rubrics: [
      { id: 'works', criterion: 'Works.', weight: 0.7, evaluation_criteria: ['a', 'b'] },
      { id: 'reads_well', criterion: 'Reads well.', weight: 0.3 },
    ],
    test_scripts: [
      { path: 'checks/run.py', rubric_id: 'works', content: '', command: 'python3 checks/run.py' },
      { path: 'checks/run.sh', rubric_id: 'works', content: '' },
      { path: 'checks/other.py', rubric_id: 'gone', content: '' },
    ],
  }
  const task = sound(taskWith(oneShot({ 'tb_meta.json': meta({ evaluation }) })))
  expect(task.steps[0]?.tests).toMatchObject({
    files: [{ command: 'python3 checks/run.py' }, { command: "sh 'checks/run.sh'" }, { command: null }],
  })
  expect(task.needs).toContainEqual({ kind: 'judge', what: 'rubric reads_well', where: null })
  expect(task.notes).toEqual([expect.stringContaining('checks/other.py counts for "gone", which is no rubric')])
})

describe('refuses', () => {
  const rubrics = [{ id: 'works', criterion: 'x', weight: 1 }]
  it.each([
    [{ repo: undefined }, /^tb_meta\.json:1:1 {2}repo: missing/],
    [{ repo: {} }, /repo: expected git_url, or path/],
    [{ repo: { path: '../other' } }, /repo\.path: expected a relative path that stays inside/],
    [{ repo: { path: 'missing' } }, /repo\.path: there is no folder "missing"/],
    [{ repo: { path: 'repo', start_commit_sha: 'abc' } }, /has no \.git, so there is no commit abc/],
    [{ repo: { git_url: '--upload-pack=touch /tmp/x' } }, /repo\.git_url: expected the address of a repository/],
    [{ repo: { git_url: 'ext::sh -c touch% /tmp/x' } }, /repo\.git_url: expected the address of a repository/],
    [{ repo: { git_url: 'https://a.b/c', branch: '--orphan' } }, /repo\.branch: expected the name of a branch/],
    [{ lm: { instructions: '  ' } }, /lm\.instructions: there is no instruction/],
    [
      { evaluation: { rubrics: [{ id: 'a', criterion: 'x', weight: -1 }] } },
      /weight: expected a weight: 0 or more, got -1/,
    ],
    [{ evaluation: { rubrics: [{ id: 'a', criterion: 'x', weight: 0 }] } }, /all weights are 0/],
    [{ evaluation: { rubrics: [...rubrics, ...rubrics] } }, /the id "works" is there twice/],
    [
      { evaluation: { rubrics, test_scripts: [{ path: '../../etc/cron.d/x', rubric_id: 'works', content: '' }] } },
      /test_scripts\.0\.path: expected a relative path that stays inside/,
    ],
    [
      { evaluation: { rubrics, test_scripts: [{ path: '.git/hooks/post-commit', rubric_id: 'works', content: '' }] } },
      /test_scripts\.0\.path: expected a relative path that stays inside/,
    ],
  ])('%j', (more, problem) => {
    expect(problemsOf(taskWith(oneShot({ 'tb_meta.json': meta(more) })))).toContainEqual(expect.stringMatching(problem))
  })

  it('removals that lead out, and a .git laid over the repository', () => {
    const files = oneShot({
      'overlay_files/remove_repo_paths.txt': '/etc\n../x\n',
      'overlay_repo_files/.git/config': '[core]\n',
    })
    expect(problemsOf(taskWith(files))).toEqual([
      'overlay_files/remove_repo_paths.txt: "/etc" leads out of the repository',
      'overlay_files/remove_repo_paths.txt: "../x" leads out of the repository',
      'overlay_repo_files/.git: would replace the repository; git runs what lies in it',
    ])
  })
})

it('removes by path and by pattern, with their folders, and never .git', () => {
  const repository = folderWith({
    'a.log': '',
    'b.txt': '',
    'logs/c.log': '',
    'src/x.py': '',
    'src/deep/y.pyc': '',
    'tests/old/z.py': '',
    '.git/config': '',
    'we[ird].txt': '',
  })
  const removed = (...patterns: readonly string[]) => removedPaths(repository, patterns)
  expect(removed('*.log')).toEqual(['a.log'])
  expect(removed('**/*.log')).toEqual(['a.log', 'logs/c.log'])
  expect(removed('tests/old/', './src/deep')).toEqual(['src/deep', 'tests/old'])
  expect(removed('src/**')).toEqual(['src/deep', 'src/x.py'])
  expect(removed('s?c/*.py')).toEqual(['src/x.py'])
  expect(removed('we[ird].txt')).toEqual(['we[ird].txt'])
  expect(removed('.git', '**')).not.toContain('.git')
  expect(removed('nothing/there')).toEqual([])
})
