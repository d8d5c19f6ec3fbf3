import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../src/cli/command-line/read-command-line.ts'
import { fakeIo } from '../cli/fake-io.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { wordsOf } from './shell-words.ts'
import { tryPage } from './try-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/*.md', { cwd: root })].sort()
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

describe('the documentation does what it says', () => {
  const tried = pages.filter(page => fencedBlocks(textOf(page)).some(block => block.words.length > 0))
  it.each(tried)('%s', page => tryPage(textOf(page)))
})

describe('every command line in the documentation is valid', () => {
  const withLines = pages.filter(page => commandLines(textOf(page)).length > 0)
  it.each(withLines)('%s', page => {
    for (const line of commandLines(textOf(page)))
      expect(readCommandLine(fakeIo(wordsOf(line))), line).toMatchObject({ kind: 'command' })
  })
})

describe('links lead somewhere', () => {
  it.each(pages)('%s', page => {
    const broken = linksOf(textOf(page)).filter(link => !leadsSomewhere(page, link))
    expect(broken).toEqual([])
  })

  it('every page is reachable from the README', () => {
    const linked = linksOf(textOf('README.md')).map(link => link.split('#')[0])
    expect(pages.filter(page => page.startsWith('docs/') && !linked.includes(page))).toEqual([])
  })
})

function commandLines(text: string): readonly string[] {
  const shell = fencedBlocks(text).filter(({ language }) => language === 'sh')
  return shell.flatMap(block =>
    block.text
      .replaceAll('\\\n', '')
      .split('\n')
      .filter(line => /^(npx )?assay /.test(line) && !/[&|;<]/.test(line.replaceAll(/'[^']*'/g, ''))),
  )
}

function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter(link => !/^[a-z]+:/.test(link))
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), path)
  if (!existsSync(file)) return false
  return anchor === undefined || headingsOf(readFileSync(file, 'utf8')).includes(anchor)
}

/** Headings as GitHub makes anchors of them. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
