import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { commandOf, filled, launcherNames, launchOf, readLauncher } from '../../../src/execute/launchers/launcher.ts'
import { assayProcess, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { appeared, linesOf } from '../../support/files.ts'
import { answerTask, benchmark, needsBubblewrap } from '../../targets/task/support.ts'
import { onServers } from '../queue/on-servers.ts'

const facts = { name: 'assay-1f', folder: '/home/me', queue: 'redis://:hunter2@q', assay: 'assay' }
const needed = {
  skypilot: ['gpus=8'],
  modal: ['image=me/assay', 'gpus=1'],
  'aws-batch': ['job_queue=q', 'job_definition=d:3', 'workers=2'],
  kubernetes: ['image=me/assay', 'workers=3'],
}

describe.each(launcherNames)('the launcher %s', name => {
  const launch = launchOf({ name, given: needed[name] }, facts)

  it('fills every placeholder, and puts no password into a command line', () => {
    const { start, stop, status = [], logs = [], files } = launch.launcher
    const withId = { ...launch, values: { ...launch.values, id: 'job-7' } }
    for (const words of [start, stop, status, logs]) {
      const line = commandOf(words, withId, '/tmp/l').join(' ')
      expect(line).not.toMatch(/\{[a-z]+(:[\w.]+)?\}|hunter2/)
    }
    for (const text of Object.values(files)) expect(filled(text, launch, '/tmp/l')).not.toMatch(/\{(json:)?[a-z_]+\}/)
    expect(start[0]).toBe(launch.launcher.program)
  })

  it('refuses an unknown option, and reports a missing one', () => {
    expect(() => launchOf({ name, given: ['wrokers=2'] }, facts)).toThrow(`${name} has no option "wrokers"`)
    const required = Object.entries(readLauncher(name).options).find(([, usual]) => usual === 'required')
    if (required === undefined) return
    expect(() => launchOf({ name, given: [] }, facts)).toThrow(`--executor ${name} needs --launch ${required[0]}=`)
  })
})

it('the files of launchers are valid for their tools', () => {
  const textOf = (name: keyof typeof needed, file: string) => {
    const launch = launchOf({ name, given: needed[name] }, facts)
    return filled(launch.launcher.files[file] ?? '', launch, '/tmp/l')
  }
  const [secret, job] = parseAllDocuments(textOf('kubernetes', 'workers.yaml')).map(one => one.toJS())
  expect(secret).toMatchObject({ kind: 'Secret', stringData: { ASSAY_QUEUE: 'redis://:hunter2@q' } })
  expect(job).toMatchObject({ kind: 'Job', metadata: { name: 'assay-1f' }, spec: { parallelism: 3 } })
  expect(job.spec.template.spec.containers[0]).toMatchObject({
    command: ['sh', '-c', 'assay worker --json'],
    resources: { limits: { 'nvidia.com/gpu': 0 } },
  })
  expect(parseAllDocuments(textOf('skypilot', 'task.yaml'))[0]?.toJS()).toMatchObject({
    num_nodes: 1,
    workdir: '/home/me',
    resources: { accelerators: 'L4:8' },
    run: 'assay worker --json\n',
  })
  expect(JSON.parse(textOf('aws-batch', 'overrides.json'))).toEqual({
    command: ['sh', '-c', 'assay worker --json'],
    environment: [{ name: 'ASSAY_QUEUE', value: 'redis://:hunter2@q' }],
  })
  expect(textOf('modal', 'workers.py')).toContain('modal.Image.from_registry("me/assay")')
})

/** Records its exact command line, then does as configured. */
const standIn = (then: string): string => `#!/bin/sh
printf '%s' "$(basename "$0")" >> "$CALLS"; for word; do printf ' [%s]' "$word" >> "$CALLS"; done; echo >> "$CALLS"
for word; do [ ! -f "$word" ] || cp "$word" "$CALLS.file"; done
${then}
`

onServers('launchers', server => {
  const experiment = {
    'experiment.yaml': 'name: far\ntarget: { kind: function, module: one.mjs }\nseeds: 1..6\n',
    'one.mjs': 'export default () => ({ score: 1 })\n',
  }

  it('--skypilot --gpus 8 launches a cluster, executes the runs, and ends it', async () => {
    const cwd = folderWith({ ...experiment, 'bin/sky': standIn('') })
    const env = { ASSAY_QUEUE: server().address, CALLS: join(cwd, 'calls'), PATH: `${cwd}/bin:${process.env.PATH}` }
    const running = startAssay(['run', '--json', '--skypilot', '--gpus', '8'], { cwd, env })
    await appeared(join(cwd, 'calls'))
    // The machine that it would have started.
    const worker = startAssay(['worker', '--json', '--scratch', join(cwd, 'scratch')], { cwd, env })
    const ended = await running.ended
    worker.child.kill('SIGTERM')
    await worker.ended
    expect(summaryOf(ended)).toMatchObject({ planned: 6, completed: 6 })
    const calls = linesOf(join(cwd, 'calls')).map(line => line.replace(/assay-[0-9a-f]{12}/g, 'NAME'))
    expect(calls).toEqual([
      `sky [launch] [--yes] [--detach-run] [--cluster] [NAME] [--env] [ASSAY_QUEUE] [${cwd}/results/far/.launcher/task.yaml]`,
      'sky [down] [--yes] [NAME]',
    ])
    expect(readFileSync(join(cwd, 'calls.file'), 'utf8')).toContain('accelerators: L4:8\n')
  })

  it('ends each job of AWS Batch by its id, and reports failed starts', async () => {
    const submits = 'case "$2" in submit-job) echo "{\\"jobId\\": \\"id-$$\\"}";; esac'
    const cwd = folderWith({
      ...experiment,
      'bin/aws': standIn(submits),
      'bin/kubectl': standIn('echo denied >&2; exit 1'),
    })
    mkdirSync(join(cwd, 'scratch'))
    const env = { ASSAY_QUEUE: server().address, CALLS: join(cwd, 'calls'), PATH: `${cwd}/bin:${process.env.PATH}` }
    const launch = ['--launch', 'job_queue=q', '--launch', 'job_definition=d', '--launch', 'workers=2']
    const running = startAssay(['run', '--json', '--executor', 'aws-batch', ...launch], { cwd, env })
    const worker = startAssay(['worker', '--json', '--scratch', join(cwd, 'scratch')], { cwd, env })
    const ended = await running.ended
    worker.child.kill('SIGTERM')
    await worker.ended
    expect(complaint(ended, { cwd })).toBe('')
    expect(linesOf(join(cwd, 'calls')).map(line => line.split(' ')[2])).toEqual([
      ...['[submit-job]', '[submit-job]', '[terminate-job]', '[terminate-job]'],
    ])
    const kubernetes = ['--executor', 'kubernetes', '--launch', 'image=me/assay', '--fresh']
    const refused = startAssay(['run', '--json', ...kubernetes], { cwd, env })
    await refused.said('no workers were started: kubectl apply')
    refused.child.kill('SIGTERM')
    expect((await refused.ended).stdout).toContain('denied')
  })

  it('starts no machines if no run is left', async () => {
    const cwd = folderWith({ ...experiment, 'bin/sky': standIn('') })
    const env = { CALLS: join(cwd, 'calls'), PATH: `${cwd}/bin:${process.env.PATH}` }
    await assayProcess(['run', '-q'], { cwd, env })
    const args = ['run', '--json', '--skypilot', '--queue', server().address]
    expect(summaryOf(await assayProcess(args, { cwd, env }))).toMatchObject({ completed: 6, reused: 6 })
    expect(existsSync(env.CALLS)).toBe(false)
  })

  it('ends the jobs of a killed coordinator, with or without new ones', async () => {
    const submits = 'case "$2" in submit-job) echo "{\\"jobId\\": \\"id-$$\\"}";; esac'
    const cwd = folderWith({ ...experiment, 'bin/aws': standIn(submits) })
    mkdirSync(join(cwd, 'scratch'))
    const env = { CALLS: join(cwd, 'calls'), PATH: `${cwd}/bin:${process.env.PATH}` }
    const queue = ['--queue', server().address]
    const launch = ['--executor', 'aws-batch', '--launch', 'job_queue=q', '--launch', 'job_definition=d']
    const args = ['run', '--json', ...queue, ...launch]
    const started = join(cwd, 'results', 'far', '.launcher', 'started.json')
    const killed = async () => {
      const { child, ended } = startAssay(args, { cwd, env })
      await appeared(started)
      child.kill('SIGKILL')
      await ended
    }
    const calls = () => linesOf(env.CALLS).map(line => line.split(' ')[2])
    await killed()
    const worker = startAssay(['worker', '--json', ...queue, '--scratch', join(cwd, 'scratch')], { cwd, env })
    expect(summaryOf(await assayProcess(args, { cwd, env }))).toMatchObject({ completed: 6 })
    worker.child.kill('SIGTERM')
    await worker.ended
    const jobs = ['[submit-job]', '[submit-job]', '[terminate-job]', '[terminate-job]']
    expect(calls()).toEqual(jobs)
    expect(new Set(linesOf(env.CALLS).flatMap(line => /id-\d+/.exec(line) ?? [])).size).toBe(2)
    expect(existsSync(started)).toBe(false)
    rmSync(join(cwd, 'results'), { recursive: true })
    await killed()
    await assayProcess(['run', '-q'], { cwd, env })
    expect(summaryOf(await assayProcess(args, { cwd, env }))).toMatchObject({ completed: 6, reused: 6 })
    expect(calls()).toEqual([...jobs, '[submit-job]', '[terminate-job]'])
  })

  it('SANDBOX_BACKEND=modal with a queue runs tasks in the sandboxes of the workers', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      { ...answerTask(), 'bin/modal': standIn('') },
      'target: { kind: task, tasks: tasks/*, agent: oracle }\n',
    )
    const env = { ASSAY_QUEUE: server().address, CALLS: join(cwd, 'calls'), PATH: `${cwd}/bin:${process.env.PATH}` }
    const args = ['run', '--json', '--launch', 'image=me/assay']
    const running = startAssay(args, { cwd, env: { ...env, SANDBOX_BACKEND: 'modal' } })
    const there = { ...env, SANDBOX_BACKEND: 'bubblewrap' }
    const worker = startAssay(['worker', '--json', '--scratch', join(cwd, 'scratch')], { cwd, env: there })
    const ended = await running.ended
    worker.child.kill('SIGTERM')
    await worker.ended
    expect(complaint(ended, { cwd })).toBe('')
    expect(summaryOf(ended)).toMatchObject({ completed: 1 })
    const calls = linesOf(join(cwd, 'calls')).map(line => line.replace(/assay-[0-9a-f]{12}/g, 'NAME'))
    expect(calls).toEqual([
      `modal [run] [--detach] [${cwd}/results/bench/.launcher/workers.py]`,
      'modal [app] [stop] [NAME]',
    ])
  })

  it('plan shows the commands, without the password', async () => {
    const cwd = folderWith(experiment)
    const env = { ASSAY_QUEUE: 'redis://:hunter2@q.example.org' }
    const plan = await assayProcess(['plan', '--executor', 'kubernetes', '--launch', 'image=me/assay'], { cwd, env })
    expect(plan.stdout).toContain('kubectl apply --namespace default --filename')
    expect(plan.stdout).toContain('      image: "me/assay"')
    expect(plan.stdout).not.toContain('hunter2')
  })
})
