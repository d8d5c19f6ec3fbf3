import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/assay.ts'

const root = join(import.meta.dirname, '../..')

/** The code of every `@example` in the comments of the public API, by the file it is in. */
const examples = globSync('src/api/*.ts', { cwd: root })
  .sort()
  .flatMap(file => examplesIn(readFileSync(join(root, file), 'utf8')).map(code => ({ file, code })))

function examplesIn(source: string): string[] {
  const comments = source.match(/\/\*\*[\s\S]*?\*\//g) ?? []
  return comments.flatMap(comment => {
    const lines = comment.split('\n').map(line => line.replace(/^\s*\*( |\/$)?/, ''))
    const at = lines.findIndex(line => line.startsWith('@example'))
    if (at < 0) return []
    const end = lines.findIndex((line, index) => index > at && (line.startsWith('@') || line === ''))
    return [
      lines
        .slice(at + 1, end < 0 ? undefined : end)
        .join('\n')
        .trim(),
    ]
  })
}

const definition = examples.find(({ code }) => code.includes('const experiment = '))?.code ?? ''

describe('the examples in the API documentation run unchanged', () => {
  it('exist', () => {
    expect(examples.map(({ file }) => file)).toEqual([
      'src/api/answers.ts',
      'src/api/answers.ts',
      'src/api/batch-analyzer.ts',
      'src/api/define-experiment.ts',
      'src/api/run.ts',
      'src/api/run.ts',
      'src/api/search.ts',
    ])
  })

  it.each(examples)('$file', ({ code }) => {
    const cwd = folderWith({
      'example.mjs': [
        `import { BatchAnalyzer, compare, defineExperiment, openSearch, plan, power, run } from '${join(root, 'dist/index.js')}'`,
        code === definition ? '' : definition,
        code,
      ].join('\n'),
    })
    const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }
    const printed = execFileSync(process.execPath, ['example.mjs'], { cwd, env, encoding: 'utf8' })
    expect(printed.replaceAll(/__[0-9a-f]{12}/g, '__…')).toMatchSnapshot()
  })
})
