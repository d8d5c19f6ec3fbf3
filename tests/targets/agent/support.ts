import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ModelSettings, SimRule, SimStep } from '../../../src/define/models/model-settings.ts'
import type { Permits } from '../../../src/define/permits.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { spanScope } from '../../../src/models/trace/run-trace.ts'
import { renderPrompt, type Trajectory, type Turn } from '../../../src/models/trajectory/trajectory.ts'
import { type Backend, type Box, hostRoot } from '../../../src/process/sandbox/box.ts'
import { chooseSandbox } from '../../../src/process/sandbox/sandbox.ts'
import { type AgentJob, type AgentWork, workInBox } from '../../../src/targets/agent/built-in.ts'
import type { AgentSettings } from '../../../src/targets/agent/settings.ts'
import type { Clock } from '../../../src/util/time.ts'
import { CountedPermits, calm, virtualClock } from '../../models/support.ts'
import { folderWith } from '../../support/assay.ts'

/** One answer of a simulated model: a command. */
export const bash = (command: string): SimStep => ({ tool: { name: 'bash', arguments: { command } } })
export const submit: SimStep = { tool: { name: 'submit', arguments: {} } }

export interface Working {
  readonly models: ModelSettings
  readonly model?: string
  readonly settings?: AgentSettings & Readonly<Record<string, string | number | boolean>>
  readonly sandbox?: Backend
  readonly files?: Readonly<Record<string, string>>
  readonly permits?: Permits
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string>>
  readonly wantsMarks?: boolean
  readonly job?: Partial<AgentJob>
}

export interface Worked {
  readonly work: AgentWork
  readonly trajectory: Trajectory
  /** The results as shown to the model, in order. */
  readonly results: readonly string[]
  readonly turns: readonly Turn[]
  readonly permits: CountedPermits
  readonly box: Box
}

/** Lets the built-in agent work on a small folder with a simulated model. Time of the models is not waited for. */
export async function workOn(options: Working): Promise<Worked> {
  const { models, model = 'sim/a', settings = {}, sandbox = 'process', files = { 'a.txt': 'one\n' } } = options
  const dir = folderWith(Object.fromEntries(Object.entries(files).map(([name, text]) => [`initial/${name}`, text])))
  mkdirSync(join(dir, 'initial'), { recursive: true })
  mkdirSync(join(dir, 'home'))
  const box = await (await chooseSandbox(sandbox, process.env)).open({
    token: `test-${Math.random().toString(16).slice(2)}`,
    root: hostRoot,
    files: join(dir, 'box'),
    initial: [
      { source: join(dir, 'initial'), target: '/app' },
      { source: join(dir, 'home'), target: '/home/assay' },
    ],
    mounts: [],
    env: {},
    workdir: '/app',
    network: 'none',
    ports: [],
    memoryMb: 512,
    pids: 256,
    storageMb: null,
  })
  onTestFinished(() => box.close())
  const permits = new CountedPermits()
  const client = openModels({
    env: options.env ?? {},
    settings: models,
    clock: options.clock ?? virtualClock(),
  }).client({ permits: options.permits ?? permits, seed: 1 })
  const turns: Turn[] = []
  const { reviewer: _, ...plain } = settings
  const work = await workInBox(
    box,
    {
      instruction: 'Write two to a.txt.',
      workdir: '/app',
      home: '/home/assay',
      deadline: calm(),
      signal: calm(),
      spent: {},
      mostUsd: null,
      seed: null,
      ...options.job,
    },
    {
      id: 'run-1',
      model,
      settings,
      params: plain,
      hasTools: models[model]?.tools !== false,
      wantsMarks: options.wantsMarks ?? false,
      folder: dir,
      dir,
      env: {},
      graceMs: 200,
      scope: spanScope(null, client),
      onTurn: turn => void turns.push(turn),
    },
    () => {},
  )
  const { trajectory } = work
  const results = trajectory.history.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
  return { work, trajectory, results, turns, permits, box }
}

/** A model that answers by these rules, at a dollar for a million tokens. */
export const simulated = (rules: readonly SimRule[], more: ModelSettings[string] = {}): ModelSettings => ({
  'sim/a': { price: [{ above: 0, input: 1, output: 1 }], rules, ...more },
})

/** A model that says this, answer by answer. */
export const scripted = (...script: readonly SimStep[]): ModelSettings => simulated([{ script }])

/** The messages that a turn was asked with. */
export const promptOfTurn = ({ history, turns, summaries }: Trajectory, at: number) =>
  renderPrompt(turns[at]?.prompt ?? [], history, summaries)
