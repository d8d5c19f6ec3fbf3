import { execFile } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../support/needs.ts'
import { answerTask, benchmark, needsBubblewrap } from './support.ts'

const nobody = 65_534
const program = join(import.meta.dirname, '../../../bin/assay.mjs')

it('an unprivileged user runs a benchmark, scores it again and deletes it', async () => {
  await needsBubblewrap()
  needs(process.getuid?.() === 0, 'only root can be another user')
  for (let folder = import.meta.dirname; folder !== '/'; folder = dirname(folder))
    needs((statSync(folder).mode & 0o005) === 0o005, `${folder} may not be read by others`)
  const dockerfile = 'FROM x\nWORKDIR /app\nCOPY question.txt .\nRUN echo more > more.txt\n'
  const made = benchmark(
    answerTask({ 'tasks/answer/environment/Dockerfile': dockerfile }),
    'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap }\nfactors: { agent: [oracle, nop] }\n',
  )
  // Other tests keep their files in private folders.
  const cwd = mkdtempSync('/tmp/assay-test-')
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  cpSync(made, cwd, { recursive: true })
  chmodSync(cwd, 0o755)
  for (const path of [cwd, ...readdirSync(cwd, { recursive: true, encoding: 'utf8' }).map(name => join(cwd, name))])
    chownSync(path, nobody, nobody)
  const options = { cwd, uid: nobody, gid: nobody, env: { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1' } }
  const asNobody = (file: string, ...args: string[]) => promisify(execFile)(file, args, options)

  const run = await asNobody(process.execPath, program, 'run')
  expect(run.stdout).toContain('bench, 2 runs: 2 completed\npassed: 1 of 2 (50%)')
  const scored = await asNobody(process.execPath, program, 'eval', 'results/bench')
  expect(scored.stdout.match(/-> ok$/gm)).toHaveLength(2)
  await asNobody('rm', '-r', 'results')
  expect(readdirSync(cwd)).not.toContain('results')
})
