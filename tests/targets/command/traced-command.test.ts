import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { evidenceOf } from '../../../src/record/evidence/evidence.ts'
import { gatherDataset } from '../../../src/report/gather/gather-dataset.ts'
import { assay, complaint, folderWith } from '../../support/assay.ts'
import { spansOf, startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { problemsOfOtlp } from '../../support/valid-otlp.ts'

const sender = fileURLToPath(new URL('../../fixtures/send-span.mjs', import.meta.url))

const experiment = (command: readonly string[], more = '') =>
  folderWith({ 'experiment.yaml': `name: e\ntarget: { kind: command, command: ${JSON.stringify(command)} }\n${more}` })

const runFile = (cwd: string, file: string): string => {
  const [run = ''] = readdirSync(join(cwd, 'results/e/runs'))
  return join(cwd, 'results/e/runs', run, file)
}

const shown = ['sh', '-c', 'echo "$TRACEPARENT|$OTEL_EXPORTER_OTLP_ENDPOINT|$OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"']

describe('the spans that a command sends', () => {
  it('are in the trace of its run, in the export and in --otlp', async () => {
    const receiver = await startOtlpReceiver()
    const cwd = experiment([process.execPath, sender], 'calls: { otlp_in: true }')
    const ran = await assay(['run', '-q', '--otlp', receiver.address], { cwd })
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    const { stdout } = await assay(['export', 'results/e', '--format', 'otlp', '--output', '-'], { cwd })
    const document = JSON.parse(stdout)
    for (const problems of [problemsOfOtlp(document), receiver.problems()]) expect(problems).toEqual([])
    for (const spans of [spansOf(document), receiver.spans()]) {
      expect(spans).toMatchObject([
        { name: 'my own work', facts: { protocol: 'http/protobuf' }, resource: { 'service.name': 'my-agent' } },
        { name: 'run e', facts: { 'assay.outcome': 'completed' }, resource: { 'service.name': 'assay' } },
      ])
      expect(spans[0]?.parentSpanId).toBe(spans[1]?.spanId)
    }
    const { folders } = gatherDataset(evidenceOf(join(cwd, 'results/e'), { series: 'all' }))
    expect(folders[0]?.trace).toMatchObject([{ name: 'my own work', service: 'my-agent' }])
  })

  it('are accepted only on request; otherwise the command gets no address, and no trace is made', async () => {
    const cwd = experiment(shown)
    expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
    expect(readFileSync(runFile(cwd, 'stdout.txt'), 'utf8')).toBe('||\n')
    expect(existsSync(runFile(cwd, 'trace.jsonl'))).toBe(false)
  })

  it('go only to assay: variables for other collectors are not inherited, unless the experiment sets them', async () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1' }
    const cwd = experiment(shown)
    await assay(['run', '-q', '--otlp-in'], { cwd, env })
    expect(readFileSync(runFile(cwd, 'stdout.txt'), 'utf8')).toMatch(
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-01\|http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\|\n$/,
    )
    // No span arrived, so there is no notice.
    expect(existsSync(runFile(cwd, 'trace.jsonl'))).toBe(false)
  })

  it('with --otlp alone, a command gets its span, which is sent with its outcome', async () => {
    const receiver = await startOtlpReceiver()
    const cwd = experiment(['sh', '-c', 'echo $TRACEPARENT; exit 3'])
    expect((await assay(['run', '-q', '--otlp', receiver.address], { cwd })).status).toBe(1)
    expect(receiver.problems()).toEqual([])
    const [span] = receiver.spans()
    expect(span).toMatchObject({
      name: 'run e',
      status: { code: 2 },
      facts: { 'assay.outcome': 'failed', 'error.type': 'exit_3' },
    })
    expect(readFileSync(runFile(cwd, 'stdout.txt'), 'utf8')).toBe(`00-${span?.traceId}-${span?.spanId}-01\n`)
  })
})

describe('errors of span settings', () => {
  const refusal = async (args: readonly string[], more = '', target = '{ kind: command, command: ["true"] }') => {
    const cwd = folderWith({ 'experiment.yaml': `name: e\ntarget: ${target}\n${more}` })
    const ended = await assay(['run', '-q', ...args], { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' } })
    return `${ended.status} ${complaint(ended, { cwd })}`
  }
  const prompt = '{ kind: prompt, prompts: [hi], models: [sim/echo] }'

  it('are refused before anything runs', async () => {
    expect(await refusal(['--otlp', 'grpc://127.0.0.1:4317'])).toMatch(/^2 .*over HTTP, not over gRPC/)
    expect(await refusal(['--otlp', '127.0.0.1:4318'])).toMatch(/^2 .*is no http address, such as http:\/\/127/)
    expect(await refusal(['--otlp', 'env'])).toMatch(/^2 .*OTEL_EXPORTER_OTLP_ENDPOINT is not set/)
    expect(await refusal(['--otlp', 'http://127.0.0.1:1', '--no-trace'])).toMatch(/^2 .*contradict each other/)
    expect(await refusal(['--otlp-in'], '', prompt)).toMatch(/^2 .*a target of kind "prompt" starts no program/)
    expect(await refusal([], 'calls: { otlp: "http://a:b@c" }')).toMatch(/^2 .*password/)
    expect(await refusal([], 'calls: { trace: none, otlp_in: true }')).toMatch(
      /^2 .*with trace: none there is no trace/,
    )
  })

  it('are one notice if no collector listens, and the runs are complete', async () => {
    const cwd = folderWith({ 'experiment.yaml': `name: e\ntarget: ${prompt}\nreplicates: 3` })
    const ended = await assay(['run', '--otlp', 'http://127.0.0.1:1', '--json'], { cwd })
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect([ended.status, lines.at(-1)]).toMatchObject([0, { completed: 3 }])
    expect(lines.filter(line => JSON.stringify(line).includes('not all spans were sent'))).toHaveLength(1)
  })
})
