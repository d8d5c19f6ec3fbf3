import { describe, expect, it } from 'vitest'
import { needsBubblewrap } from '../../task/support.ts'
import { bash, scripted, submit, workOn } from '../support.ts'

describe.each(['process', 'bubblewrap'] as const)('commands in %s', sandbox => {
  const working = async (options: Parameters<typeof workOn>[0]) => {
    if (sandbox === 'bubblewrap') await needsBubblewrap()
    return workOn({ ...options, sandbox })
  }

  it('may print endlessly: the model sees the beginning, the end, and the length between', async () => {
    const { results } = await working({
      models: scripted(bash('echo first; yes "a line of the flood" | head -c 30000000; echo; echo last'), submit),
      settings: { output_limit: 2000 },
    })
    const [shown = ''] = results
    expect(shown.length).toBeLessThan(2100)
    expect(shown).toMatch(/^first\n/)
    expect(shown).toMatch(/\nlast$/)
    const left = Number(/\[… (\d+) bytes left out …\]/.exec(shown)?.[1])
    expect(left + 2000).toBeGreaterThanOrEqual(30_000_000)
    expect(left).toBeLessThan(30_000_100)
  })

  it('may print binary: the model sees text', async () => {
    const { results, work } = await working({
      models: scripted(
        bash('head -c 5000 /dev/urandom; echo; printf "\\033[31mred\\033[0m\\n50%%\\r100%%\\n\\000\\001 end"'),
        submit,
      ),
    })
    expect(work.exitStatus).toBe('submitted')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    expect(results[0]).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/)
    expect(results[0]).toContain('red\n100%\n')
    expect(results[0]).toContain('end')
  })

  it('may delete the working directory, and continue', async () => {
    const { results, work } = await working({
      models: scripted(
        bash('mkdir sub; cd sub; rm -rf ../sub; echo gone'),
        bash('pwd | tail -c 5; rm -rf "$PWD"; ls "$PWD" 2>&1 | wc -l'),
        bash('ls; echo still here'),
        submit,
      ),
    })
    expect(results[1]).toContain('sub is gone]\n/app')
    expect(results[2]).toContain('app is gone]')
    expect(results[2]).toContain('still here')
    expect(work.exitStatus).toBe('submitted')
    expect(work.diff).toContain('-one')
  })

  it('may leave processes, which continue until the work is over', async () => {
    // Another suite may run on this machine at the same time.
    const sleeper = `sleep 1234.${process.pid}`
    const { results, box } = await working({
      models: scripted(
        bash(`(while true; do date >> ticks.txt; sleep 0.02; done) & (setsid ${sleeper} &); echo started`),
        bash(
          'before=$(wc -l < ticks.txt); until [ "$(wc -l < ticks.txt)" -gt "$before" ]; do sleep 0.02; done; echo "it ticks"',
        ),
        submit,
      ),
    })
    expect(results.slice(0, 2)).toEqual(['started', 'it ticks'])
    await box.close()
    const { execFileSync } = await import('node:child_process')
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(sleeper)
  })

  it('may break the shell of the next command, but don’t end the work', async () => {
    const { work, results } = await working({
      models: scripted(
        bash('export PATH=/nowhere BASH_ENV=/nowhere ENV=/nowhere; unset HOME; set -eu; echo one'),
        bash('echo two; ls'),
        bash('export PATH=/usr/bin:/bin; ls a.txt'),
        bash('exec true'),
        bash('trap - EXIT; kill -9 $$'),
        bash('echo six'),
        submit,
      ),
    })
    expect(work.exitStatus).toBe('submitted')
    expect(results[1]).toMatch(/^two\n.*not found/)
    expect(results[2]).toBe('a.txt')
    expect(results[4]).toContain('ended by SIGKILL')
    expect(results[5]).toBe('six')
  })
})

it('survives a command that kills everything in its box', async () => {
  await needsBubblewrap()
  const { work, results } = await workOn({
    models: scripted(bash('echo two > a.txt; kill -9 -1; sleep 5'), bash('cat a.txt'), submit),
    sandbox: 'bubblewrap',
  })
  expect(results[0]).toMatch(/ended by SIGKILL|exit code 137/)
  expect(results[1]).toBe('two')
  expect(work).toMatchObject({ exitStatus: 'submitted' })
  expect(work.diff).toContain('+two')
})
