import { expect, it } from 'vitest'
import { applyOverrides } from '../../../../src/targets/task/formats/oneshot/apply-overrides.ts'
import { readOverrides } from '../../../../src/targets/task/formats/oneshot/overrides.ts'
import { folderWith } from '../../../support/assay.ts'
import { harbor, oneShot, problemsOf, sound, taskWith } from './support.ts'

const everything = {
  prompt: 'Another prompt.',
  lm_instructions: 'Not this one.',
  overlay_files: { 'hint.txt': 'look here' },
  overlay_repo_files: { 'src/new.py': 'x = 1\n' },
  remove_repo_paths: ['tests/old/', '*.log'],
  evaluation: {
    rubrics: [{ id: 'other', criterion: 'Other.', weight: 2 }],
    test_scripts: [{ path: 'tests/test_other.py', rubric_id: 'other', content: 'def test_o(): pass\n' }],
  },
  repo: { git_url: 'https://example.com/other.git', branch: 'next' },
  inject_files: [
    { path: 'overlay_files/more.txt', content: 'more' },
    { path: 'overlay_repo_files/b.py', content: 'b' },
    { path: 'c.py', content: 'c' },
  ],
  openai: { base_url: 'http://localhost:1/v1', api_key: 'sk-secret', model: 'gpt-4o', provider: 'openai' },
  model_provider: 'groq',
  environment_variables: { TIMEOUT_SEC: 1800, DEBUG: 'yes' },
}

it('applies every key to a copy of the task', () => {
  const before = sound(taskWith(oneShot({ 'overrides.json': JSON.stringify(everything) })))
  const kept = structuredClone(before)
  if (before.overrides === null) throw new Error('no overrides were read')
  const { task, settings } = applyOverrides(before, before.overrides)
  expect(before).toEqual(kept)
  expect(task.steps).toMatchObject([
    { instruction: 'Another prompt.', tests: { files: [{ path: 'tests/test_other.py', rubricId: 'other' }] } },
  ])
  expect(task.rubrics).toMatchObject([{ id: 'other', weight: 2 }])
  expect(task.environment).toMatchObject({
    repo: { kind: 'git', url: 'https://example.com/other.git', branch: 'next', commit: null },
    remove: ['tests/old/', '*.log'],
    overlays: [
      { from: { text: 'look here' }, to: '/app/hint.txt' },
      { from: { text: 'more' }, to: '/app/more.txt' },
      { from: { text: 'x = 1\n' }, to: '/app/repo/src/new.py' },
      { from: { text: 'c' }, to: '/app/repo/c.py' },
      { from: { text: 'b' }, to: '/app/repo/b.py' },
    ],
  })
  expect(settings).toEqual({
    model: 'gpt-4o',
    provider: 'groq',
    baseUrl: 'http://localhost:1/v1',
    env: { TIMEOUT_SEC: '1800', DEBUG: 'yes' },
  })
  expect(task.digest).not.toBe(before.digest)
  expect(task.notes).toEqual([expect.stringContaining('openai.api_key: is not used')])
  expect(JSON.stringify([before, task, settings])).not.toContain('sk-secret')
})

it('accepts lm_instructions, and rubrics and tests at the top level, with lower precedence', () => {
  const { evaluation } = everything
  const file = `${folderWith({ 'o.json': JSON.stringify({ lm_instructions: 'This.', ...evaluation }) })}/o.json`
  const { task } = applyOverrides(sound(taskWith(oneShot())), readOverrides(file))
  expect(task.steps[0]?.instruction).toBe('This.')
  expect(task.rubrics).toMatchObject([{ id: 'other' }])
})

it('changes nothing with an empty file, and order of keys does not matter', () => {
  const folder = folderWith({
    'empty.json': '{}',
    'a.json': '{"openai":{"api_key":"a","model":"m"}}',
    'b.json': '{"openai":{"api_key":"b","model":"m"}}',
    'c.json': '{"openai":{"model":"n"}}',
  })
  const before = sound(taskWith(oneShot()))
  const { task, settings } = applyOverrides(before, readOverrides(`${folder}/empty.json`))
  expect({ ...task, digest: before.digest }).toEqual(before)
  expect(settings).toEqual({ model: null, provider: null, baseUrl: null, env: {} })
  const [a, b, c] = ['a', 'b', 'c'].map(name => readOverrides(`${folder}/${name}.json`).digest)
  expect(a).toBe(b)
  expect(a).not.toBe(c)
})

it.each([
  ['{"promt": "x"}', /overrides\.json:1:2 {2}promt: unknown key "promt"; did you mean "prompt"\?/],
  ['{"overlay_repo_files": {"../x": "y"}}', /overlay_repo_files\.\.\.\/x: expected a relative path that stays inside/],
  ['{"overlay_repo_files": {".git/hooks/pre-commit": "y"}}', /expected a relative path that stays inside/],
  ['{"remove_repo_paths": ["/"]}', /remove_repo_paths\.0: expected a relative path/],
  ['{"environment_variables": {"A": [1]}}', /environment_variables\.A: expected text/],
  ['{"prompt": ""}', /prompt: expected text that is not empty/],
  ['[]', /expected a map of keys and values/],
  ['{', /malformed JSON/],
])('refuses %s', (text, problem) => {
  const task = taskWith(oneShot({ 'overrides.json': text }))
  expect(problemsOf(task)).toContainEqual(expect.stringMatching(problem))
})

it('refuses OneShot-only keys for other formats, and applies the rest', () => {
  const task = sound(taskWith(harbor()))
  const folder = folderWith({
    'all.json': JSON.stringify(everything),
    'prompt.json': '{"prompt":"Say hi.","environment_variables":{"A":"1"}}',
  })
  expect(() => applyOverrides(task, readOverrides(`${folder}/all.json`))).toThrow(
    /can't change overlay_files, overlay_repo_files, remove_repo_paths, evaluation, repo of .*, a harbor task/,
  )
  const applied = applyOverrides(task, readOverrides(`${folder}/prompt.json`))
  expect(applied.task.steps[0]?.instruction).toBe('Say hi.')
  expect(applied.settings.env).toEqual({ A: '1' })
})
