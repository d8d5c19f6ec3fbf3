import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { assay } from '../support/assay.ts'
import { type FencedBlock, fencedBlocks } from './fenced-blocks.ts'
import { newProject, root } from './new-project.ts'
import { isPlainCall, wordsOf } from './shell-words.ts'

/**
 * Executes a page, from top to bottom, in one new project:
 * - `file=<name>`: the block is that file
 * - `experiment`: a whole experiment, saved as experiment.<language>; `assay plan` must accept it
 * - `part`: the same for some keys of one; name and target are added where they are missing
 * - `runs=6` behind these two: how many runs it has
 * - `run`: shell lines, one by one; a line that ends in `# exit 3` must end with 3, the others with 0; or a script
 * - `query`: SQL on the journals of the folder, which must find something
 */
export async function tryPage(text: string): Promise<void> {
  const folder = newProject({ assay: `#!/bin/sh\nexec "${process.execPath}" "${root}bin/assay.mjs" "$@"\n` })
  for (const block of fencedBlocks(text)) await tryBlock(block, folder)
}

async function tryBlock(block: FencedBlock, folder: string): Promise<void> {
  const [how = '', name = ''] = (block.words[0] ?? '').split('=')
  if (how === 'file') write(join(folder, name), block.text)
  else if (how === 'experiment' || how === 'part') await plan(block, folder, how === 'part')
  else if (how === 'query') query(block, folder)
  else if (how === 'run' && block.language === 'sh') await runLines(block, folder)
  else if (how === 'run') await runScript(block, folder)
  else if (how !== '') throw new Error(`line ${block.line}: nobody knows what "${how}" means behind a block's language`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
}

async function plan(block: FencedBlock, folder: string, isPart: boolean): Promise<void> {
  const missing = {
    name: 'name: part\n',
    target: 'target: { kind: command, command: ["true"] }\n',
  }
  const added = Object.entries(missing).filter(([key]) => isPart && !new RegExp(`^${key}:`, 'm').test(block.text))
  const file = isPart ? 'part.yaml' : `experiment.${block.language}`
  write(join(folder, file), `${block.text}${added.map(([, line]) => line).join('')}`)
  // A part may leave to the rest of its experiment what only `run` would refuse, such as rules of simulated models.
  const planned = await expectExit(`assay plan ${file}`, isPart ? [0, 2] : [0], block, folder)
  expect(planned, `block at line ${block.line}`).toContain('planned_runs=')
  const runs = block.words.find(word => word.startsWith('runs='))
  if (runs !== undefined) expect(planned, `block at line ${block.line}`).toContain(`planned_${runs} `)
}

async function runLines(block: FencedBlock, folder: string): Promise<void> {
  for (const line of block.text.replaceAll('\\\n', '').split('\n')) {
    const wanted = Number(/# exit (\d+)$/.exec(line)?.[1] ?? 0)
    if (line.trim() !== '' && !line.startsWith('#')) await expectExit(line, [wanted], block, folder)
  }
}

async function runScript(block: FencedBlock, folder: string): Promise<void> {
  write(join(folder, `script.m${block.language}`), block.text)
  await expectExit(`'${process.execPath}' script.m${block.language}`, [0], block, folder)
}

async function expectExit(
  line: string,
  wanted: readonly number[],
  block: FencedBlock,
  folder: string,
): Promise<string> {
  const env = { PATH: `${folder}:${dirname(process.execPath)}:${process.env.PATH}` }
  const { status, stdout, stderr } = isPlainCall(line)
    ? await assay(wordsOf(line), { cwd: folder, env })
    : runInShell(line, folder, env)
  const problem = `block at line ${block.line}: ${line}\n${stdout}${stderr}`
  expect(wanted, problem).toContain(status)
  return stdout
}

const runInShell = (line: string, cwd: string, env: Readonly<Record<string, string>>) =>
  spawnSync('/bin/sh', ['-c', line], {
    cwd,
    encoding: 'utf8',
    // As in the tool itself: compiling the package takes most of the time of a script that imports it.
    env: { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...env },
    timeout: 200_000,
  })

function query(block: FencedBlock, folder: string): void {
  const journals = globSync('**/journal.db', { cwd: folder, exclude: name => name.endsWith('node_modules') })
  const found = journals.flatMap(journal => {
    const database = new DatabaseSync(join(folder, journal), { readOnly: true })
    try {
      return database.prepare(block.text).all()
    } finally {
      database.close()
    }
  })
  expect(found, `block at line ${block.line}`).not.toEqual([])
}
