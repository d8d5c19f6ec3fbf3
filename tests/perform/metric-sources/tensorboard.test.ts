import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { crc32c } from '../../../src/perform/metric-sources/tensorboard/records.ts'
import { tensorboardSource } from '../../../src/perform/metric-sources/tensorboard/tensorboard.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { bytes, checksum, float, head, record, simple, tensor, whole } from './event-file.ts'

test.each([
  // RFC 3720, appendix B.4, and the usual check value.
  [Buffer.from('123456789'), 0xe3069283],
  [Buffer.alloc(32), 0x8a9136aa],
  [Buffer.alloc(32, 0xff), 0x62a8ab43],
  [Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
])('crc32c %#', (data, expected) => expect([crc32c(data), checksum(data)]).toEqual([expected, expected]))

const name = 'events.out.tfevents.1700000000.host.42.0'

function runWith(files: Readonly<Record<string, readonly Buffer[]>>): string {
  const dir = folderWith()
  for (const [file, parts] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), Buffer.concat(parts))
  }
  return dir
}

const read = (dir: string, metric = '*', more = {}) =>
  tensorboardSource.read(dir, metric, { kind: 'tensorboard', file: 'out', ...more })

const scalar = (value: number) => Buffer.concat([whole(1, 1), bytes(2, ''), bytes(4, float(value))])

describe("TensorBoard's event files", () => {
  test('give every scalar over its steps, written as a number or as a tensor', () => {
    const double = Buffer.alloc(8)
    double.writeDoubleLE(0.1)
    const dir = runWith({
      [`out/logs/${name}`]: [
        head(),
        simple(0, 'loss', 2),
        simple(1, 'loss', 0.5),
        simple(300, 'lr', 0.25),
        tensor(1, 'acc', scalar(0.75)),
        tensor(2, 'double', Buffer.concat([whole(1, 2), bytes(4, double)])),
        tensor(2, 'packed', Buffer.concat([whole(1, 1), bytes(5, float(4))])),
        tensor(2, 'count', Buffer.concat([whole(1, 9), whole(10, 7)])),
        tensor(2, 'picture', scalar(1), 'images'),
        tensor(
          2,
          'several',
          Buffer.concat([whole(1, 1), bytes(2, bytes(2, whole(1, 2))), bytes(4, Buffer.concat([float(1), float(2)]))]),
        ),
      ],
    })
    const { readings, series } = read(dir)
    expect(Object.fromEntries(readings.map(reading => [reading.metric, 'value' in reading && reading.value]))).toEqual({
      ...{ loss: 0.5, lr: 0.25, acc: 0.75, double: 0.1, packed: 4, count: 7 },
    })
    expect(series[0]).toEqual({ metric: 'loss', steps: [0, 1], values: [2, 0.5] })
    expect(series[1]).toEqual({ metric: 'lr', steps: [300], values: [0.25] })
    expect(read(dir, 'final', { tag: 'loss' }).readings).toEqual([{ metric: 'final', value: 0.5 }])
  })

  test('of one folder are one log, and of several are distinguished by folder', () => {
    const later = name.replace('1700000000', '1700000099')
    expect(
      read(runWith({ [`out/${later}`]: [head(), simple(2, 'a', 3)], [`out/${name}`]: [head(), simple(1, 'a', 1)] }))
        .series,
    ).toEqual([{ metric: 'a', steps: [1, 2], values: [1, 3] }])
    const dir = runWith({ [`out/tb/train/${name}`]: [simple(1, 'a', 1)], [`out/tb/val/${name}`]: [simple(1, 'a', 2)] })
    expect(read(dir).readings).toEqual([
      { metric: 'train/a', value: 1 },
      { metric: 'val/a', value: 2 },
    ])
  })

  test('that grow, or whose writer was killed, count up to the last complete record', () => {
    const last = simple(2, 'a', 9)
    for (let cut = 1; cut < last.length; cut++)
      expect(read(runWith({ [`out/${name}`]: [head(), simple(1, 'a', 4), last.subarray(0, cut)] })).readings).toEqual([
        { metric: 'a', value: 4 },
      ])
  })

  test('name a corrupt record, and give no doubtful value', () => {
    const broken = Buffer.from(simple(2, 'a', 9))
    broken[20] = (broken[20] ?? 0) ^ 1
    const before = Buffer.concat([head(), simple(1, 'a', 4)])
    const problem = `out/${name}: record 3 at byte ${before.length} is corrupt: its checksum does not match`
    const { readings, series } = read(runWith({ [`out/${name}`]: [before, broken, simple(3, 'a', 5)] }))
    expect({ readings, series }).toEqual({
      readings: [{ metric: 'a', problem }],
      series: [{ metric: 'a', steps: [1], values: [4] }],
    })
    const length = Buffer.from(head())
    length[0] = (length[0] ?? 0) ^ 1
    expect(read(runWith({ [`out/${name}`]: [length] }), 'a').readings).toEqual([
      { metric: 'a', problem: `out/${name}: record 1 at byte 0 is corrupt: its checksum does not match` },
    ])
  })

  test('that are other files, empty, or noise give no numbers', () => {
    expect(read(runWith({ 'out/other.txt': [Buffer.from('x')] }), 'a').readings).toEqual([
      { metric: 'a', problem: 'out contains no TensorBoard event files' },
    ])
    expect(read(runWith({}), '*', { optional: true })).toEqual({ readings: [], series: [] })
    expect(read(runWith({ [`out/${name}`]: [] })).readings).toEqual([])
    expect(read(runWith({ [`out/${name}`]: [record(Buffer.from([0xff, 0xff, 0xff, 0x0a, 0x80]))] })).readings).toEqual(
      [],
    )
    expect(read(runWith({ [`out/${name}`]: [simple(1, 'a', Number.NaN)] })).readings).toEqual([
      { metric: 'a', problem: 'is NaN at step 1, not a number' },
    ])
    expect(read(runWith({ [`out/${name}`]: [simple(1, 'a', 1)] }), 'b').readings).toEqual([
      { metric: 'b', problem: 'no event has the tag "b"; there are a' },
    ])
  })
})

test('reads event files of a program without wandb, ten thousand steps', async () => {
  const events = Buffer.concat([
    head(),
    ...Array.from({ length: 10_000 }, (_, step) => simple(step, 'train/loss', 1 / (step + 1))),
  ])
  const cwd = folderWith({
    'program.mjs': `import { copyFileSync } from 'node:fs'
copyFileSync('${name}', process.env.ASSAY_OUT_DIR + '/${name}')`,
    'e.yaml': `name: e
target: { kind: command, command: [node, program.mjs] }
factors: { a: [1, 2] }
metrics: { loss: { goal: minimize, tensorboard: out, tag: train/loss, value: best } }`,
  })
  writeFileSync(join(cwd, name), events)
  const ended = await assay(['run', 'e.yaml', '--json'], { cwd })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 2 })
  const rows = journalRows<{ value: number; points: string }>(
    join(cwd, 'results/e'),
    'SELECT value, points FROM metrics m JOIN series s ON s.attempt_id = m.attempt_id AND s.name = m.name',
  )
  expect(rows).toHaveLength(2)
  expect(rows[0]?.value).toBeCloseTo(0.0001, 8)
  expect(JSON.parse(rows[0]?.points ?? '[]')).toHaveLength(10_000)
})
