import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shellFor } from '../../../../src/targets/agent/loop/shell-script.ts'
import { folderWith } from '../../../support/assay.ts'

/** A shell with files below a folder of this name; with `programs` it finds no others. */
function shellIn(name: string, programs: readonly string[] | null = null) {
  const root = realpathSync(folderWith())
  const workdir = join(root, name, 'work')
  const bin = join(root, 'bin')
  for (const folder of [workdir, bin]) mkdirSync(folder, { recursive: true })
  for (const program of programs ?? []) symlinkSync(`/bin/${program}`, join(bin, program))
  const [program = '', ...args] = shellFor({ stateFile: join(root, name, 'state'), workdir })
  const env = { PATH: programs === null ? '/usr/bin:/bin' : bin, HOME: root }
  return {
    workdir,
    run: (command: string) => execFileSync(program, args, { input: command, env, cwd: '/', encoding: 'utf8' }),
  }
}

it.each(['plain', 'with space', `it's "quoted" $HOME \`x\` \\ *`])('continues in a folder called %s', name => {
  const { run, workdir } = shellIn(name)
  expect(run('pwd')).toBe(`${workdir}\n`)
  run('mkdir sub; cd sub; export MANY="a\nb \'c\' \\"d\\" $x"')
  expect(run('pwd; printf %s "$MANY"; printf "[%s]" "$@"')).toBe(`${workdir}/sub\na\nb 'c' "d" []`)
})

it('works in a box without bash', () => {
  const { run, workdir } = shellIn('alpine', ['sh', 'cat', 'readlink'])
  expect(run('readlink /proc/$$/exe')).not.toContain('bash')
  run('cd ..; export WORD="it\'s"')
  expect(run('pwd; echo "$WORD"; cd -')).toBe(`${join(workdir, '..')}\nit's\n${workdir}\n`)
})
