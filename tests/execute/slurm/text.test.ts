import { describe, expect, it } from 'vitest'
import { chunkSize, cutIntoArrays } from '../../../src/execute/slurm/chunks.ts'
import { checkOptions, scriptText, slurmTime, withNeeds } from '../../../src/execute/slurm/script.ts'
import { isOver, parseConfig, parseSacct, parseScontrol, parseSqueue } from '../../../src/execute/slurm/states.ts'
import { outcomeOfUnfinished } from '../../../src/execute/slurm/task-end.ts'

const plain = { sbatch: [], before: [], command: ['/usr/bin/node', '/opt/assay/bin/assay.mjs'] }

describe('the script of an array', () => {
  it('requests the needs of a run, unless an option does', () => {
    const needs = { cpu: 1.5, memory_mb: 4096, gpu: 1, labels: ['docker', 'a100'] }
    const place = { name: 'assay-1', folder: '/f', cwd: '/c', tasks: 1 }
    const asked = (options: object) =>
      scriptText(withNeeds({ ...plain, ...options }, needs), place).match(/--(mem|gres|cpus|constraint).*/g)
    expect(asked({})).toEqual(['--mem=4096M', '--gres=gpu:1', '--cpus-per-task=2', '--constraint=docker&a100'])
    expect(asked({ memory: '8G', gpus: 2 })?.slice(0, 2)).toEqual(['--mem=8G', '--gres=gpu:2'])
  })

  it('requests the user’s options, and never a requeue', () => {
    const options = {
      ...plain,
      ...{ partition: 'gpu', time: '90m', memory: '8G', gpus: 2, arrayLimit: 50 },
      sbatch: ['--account=lab', '-q low'],
      before: ['module load nodejs'],
    }
    const place = { name: 'assay-1f', folder: '/home/a b/100%/.slurm/assay-1f', cwd: '/home/a b', tasks: 20 }
    expect(scriptText(options, place)).toMatchInlineSnapshot(`
      "#!/bin/sh
      #SBATCH --job-name=assay-1f
      #SBATCH --array=0-19%50
      #SBATCH --chdir="/home/a b"
      #SBATCH --output="/home/a b/100%%/.slurm/assay-1f/log-%a.txt"
      #SBATCH --open-mode=append
      #SBATCH --no-requeue
      #SBATCH --partition=gpu
      #SBATCH --time=01:30:00
      #SBATCH --mem=8G
      #SBATCH --gres=gpu:2
      #SBATCH --account=lab
      #SBATCH -q low
      module load nodejs
      exec /usr/bin/node /opt/assay/bin/assay.mjs worker --perform '/home/a b/100%/.slurm/assay-1f/jobs-'"$SLURM_ARRAY_TASK_ID".json
      "
    `)
  })

  it.each([
    [{ sbatch: ['account=lab'] }, 'is no option of sbatch'],
    [{ sbatch: ['--array=0-3'] }, 'assay sets array itself'],
    [{ sbatch: ['-a 1\n#SBATCH --wrap=x'] }, 'is no option of sbatch'],
    [{ memory: '8 gigabytes' }, 'expected a size'],
    [{ time: '90' }, 'expected a duration'],
    [{ time: 'soon' }, 'expected a duration'],
    [{ before: ['#SBATCH --mem=1G'] }, '--before takes shell commands'],
  ])('refuses %o', (more, message) => {
    expect(() => checkOptions({ ...plain, ...more })).toThrow(message)
  })

  it('writes durations as Slurm does', () => {
    expect(['2h', '1d12h', '30s', '1-12:00:00', '2:00', '1-6'].map(slurmTime)).toEqual([
      ...['02:00:00', '1-12:00:00', '00:00:30', '1-12:00:00', '2:00', '1-6'],
    ])
  })
})

describe('output of Slurm', () => {
  it('squeue: a line for each task', () => {
    const text = 'assay-a|12|3|RUNNING|n1\nassay-a|12|4|NODE_FAIL|n2\nother|13|N/A|PENDING|\n\n'
    expect(parseSqueue(text)).toEqual([
      { name: 'assay-a', job: '12', task: 3, state: 'RUNNING', where: 'n1' },
      { name: 'assay-a', job: '12', task: 4, state: 'NODE_FAIL', where: 'n2' },
    ])
  })

  it('sacct: the state excludes the user who cancelled, and waiting tasks share a line', () => {
    const text =
      '12_3|CANCELLED by 1000|0:15|n1\n12_4|OUT_OF_ME+|0:125|n2\n12_[5-6,9%2]|PENDING|0:0|None assigned\n13|FAILED|1:0|n1\n'
    expect(parseSacct(text).map(({ task, state, where }) => [task, state, where])).toEqual([
      [3, 'CANCELLED', 'n1'],
      [4, 'OUT_OF_ME', 'n2'],
      [5, 'PENDING', ''],
      [6, 'PENDING', ''],
      [9, 'PENDING', ''],
    ])
  })

  it('scontrol: without accounting', () => {
    const text =
      'JobId=6 ArrayJobId=2 ArrayTaskId=3 JobName=t.sh JobState=TIMEOUT Reason=TimeLimit NodeList=n2 BatchHost=n2\nJobId=2 ArrayJobId=2 ArrayTaskId=7-8%4 JobState=PENDING NodeList=(null)\nJobId=9 JobName=x JobState=RUNNING\n'
    expect(parseScontrol(text)).toEqual([
      { job: '2', task: 3, state: 'TIMEOUT', where: 'n2' },
      { job: '2', task: 7, state: 'PENDING', where: '' },
      { job: '2', task: 8, state: 'PENDING', where: '' },
    ])
  })

  it('its configuration: the size of arrays, and whether there is accounting', () => {
    const text = 'AccountingStorageType   = accounting_storage/slurmdbd\nMaxArraySize            = 301\n'
    expect(parseConfig(text)).toEqual({ maxArraySize: 301, hasAccounting: true })
    expect(parseConfig('AccountingStorageType = accounting_storage/none\n')).toEqual({
      maxArraySize: 1001,
      hasAccounting: false,
    })
  })

  it('knows the final states', () => {
    expect(['PENDING', 'RUNNING', 'COMPLETING', 'SUSPENDED', 'REQUEUED'].filter(isOver)).toEqual([])
    expect(['COMPLETED', 'FAILED', 'TIMEOUT', 'PREEMPTED', 'NODE_FAIL', 'UNKNOWN'].every(isOver)).toBe(true)
  })
})

describe('chunks', () => {
  it('fills some seconds, spreads over tasks, and follows options', () => {
    expect(chunkSize(1000, undefined, null)).toBe(1)
    expect(chunkSize(1000, undefined, 0.01)).toBe(32)
    expect(chunkSize(1000, undefined, 4)).toBe(5)
    expect(chunkSize(1000, undefined, 3600)).toBe(1)
    expect(chunkSize(1000, 7, 3600)).toBe(7)
  })

  it('loses none, repeats none, and keeps arrays below the limit', () => {
    const jobs = Array.from({ length: 1234 }, (_, at) => at)
    const arrays = cutIntoArrays(jobs, 3, 101)
    expect(arrays.flat(2)).toEqual(jobs)
    expect(Math.max(...arrays.map(({ length }) => length))).toBe(100)
  })
})

describe('an attempt without a result', () => {
  const end = { task: '12_3', state: 'TIMEOUT', where: 'n1', hasBegun: true, hasTaskBegun: true, lastOutput: '' }

  it.each([
    ['TIMEOUT', 'lost'],
    ['NODE_FAIL', 'lost'],
    ['FAILED', 'lost'],
    ['UNKNOWN', 'lost'],
    ['PREEMPTED', 'taken_away'],
    ['CANCELLED', 'taken_away'],
  ])('that had begun: %s means %s', (state, error_class) => {
    expect(outcomeOfUnfinished({ ...end, state })).toMatchObject({ kind: 'cancelled', error_class })
  })

  it('that had not begun is not the run’s fault, unless its task could not begin at all', () => {
    expect(outcomeOfUnfinished({ ...end, hasBegun: false })).toMatchObject({ error_class: 'taken_away' })
    const failed = { ...end, state: 'FAILED', hasBegun: false, hasTaskBegun: false, lastOutput: 'node: not found' }
    expect(outcomeOfUnfinished(failed)).toEqual({
      kind: 'infra_error',
      error_class: 'slurm_task',
      message: 'its Slurm task 12_3 on n1 failed before it began a run: node: not found',
    })
    expect(outcomeOfUnfinished({ ...failed, state: 'NODE_FAIL' })).toMatchObject({ error_class: 'taken_away' })
  })
})
