import { closeSync, openSync, writeSync } from 'node:fs'
import type { StepGraph } from '../simulate/graph/step-graph.ts'
import type { Attempt, Workflow } from '../simulate/graph/workflow.ts'
import type { SimListener } from '../simulate/listener.ts'
import type { Resource } from '../simulate/queue/resource.ts'
import type { Tier } from '../simulate/queue/tier.ts'

/** `attempts`: the slices and the problems; `all`: also when nodes become runnable, queue, start and finish. */
export type TraceDetail = 'all' | 'attempts'

const flushBytes = 1 << 20

/**
 * A trace in Chrome's format, which Perfetto and chrome://tracing open: a process per tier with a thread per slot, and
 * a process of workflows with a thread each. An array with one event per line, so that a file that was cut off still opens.
 */
export class TraceFile implements SimListener {
  readonly #descriptor: number
  readonly #graph: StepGraph
  readonly #isAll: boolean
  readonly #processes = new Map<Tier, number>()
  #text = '[\n'
  #isFirst = true

  constructor(file: string, graph: StepGraph, detail: TraceDetail) {
    this.#descriptor = openSync(file, 'w')
    this.#graph = graph
    this.#isAll = detail === 'all'
    this.#name('workflows', workflowsProcess)
  }

  runnable(now: number, workflow: Workflow, node: number): void {
    if (this.#isAll) this.#instant('NodeRunnable', now, workflow, node, '')
  }

  queued(now: number, workflow: Workflow, node: number, resource: Resource): void {
    if (this.#isAll) this.#instant('NodeQueued', now, workflow, node, `,"on":${JSON.stringify(resource.name)}`)
  }

  hedged(now: number, { workflow, node, tier }: Attempt): void {
    this.#instant('HedgeLaunched', now, workflow, node, `,"on":${JSON.stringify(tier.name)}`)
  }

  started(now: number, { workflow, node, number, tier }: Attempt): void {
    if (!this.#isAll) return
    this.#instant('AttemptStart', now, workflow, node, `,"attempt":${number},"on":${JSON.stringify(tier.name)}`)
  }

  ended(now: number, attempt: Attempt, ending: Attempt['ending'] | 'cancelled'): void {
    const { workflow, node, number, tier, lane, startedAt } = attempt
    const process = this.#processOf(tier)
    const step = JSON.stringify(this.#graph.steps[this.#graph.stepOf[node] ?? 0])
    const about = `"wf":${workflow.id},"node":${this.#idOf(workflow, node)},"attempt":${number},"ending":"${ending}"`
    this.#event(
      `{"name":${step},"cat":"attempt","ph":"X",${span(startedAt, now)},"pid":${process},"tid":${lane + 1},"args":{${about}}}`,
    )
    const name = ending === 'ok' ? 'AttemptFinish' : ending === 'cancelled' ? 'AttemptCancel' : 'AttemptFail'
    const why = ending === 'ok' ? '' : `,"ending":"${ending}"`
    if (this.#isAll || ending !== 'ok') this.#instant(name, now, workflow, node, `,"attempt":${number}${why}`)
  }

  done(now: number, workflow: Workflow): void {
    const { submittedAt, status } = workflow
    this.#event(
      `{"name":"workflow ${workflow.id}","cat":"workflow","ph":"X",${span(submittedAt, now)},"pid":${workflowsProcess},"tid":${workflow.id},"args":{"status":"${status}"}}`,
    )
    this.#event(
      `{"name":"WorkflowDone","ph":"i","ts":${us(now)},"pid":${workflowsProcess},"tid":${workflow.id},"args":{"wf":${workflow.id},"status":"${status}"}}`,
    )
  }

  close(): void {
    this.#text += '\n]\n'
    this.#flush()
    closeSync(this.#descriptor)
  }

  #instant(name: string, now: number, workflow: Workflow, node: number, more: string): void {
    this.#event(
      `{"name":"${name}","ph":"i","ts":${us(now)},"pid":${workflowsProcess},"tid":${workflow.id},"args":{"wf":${workflow.id},"node":${this.#idOf(workflow, node)}${more}}}`,
    )
  }

  /** Nodes are numbered through all iterations, from 1. */
  #idOf(workflow: Workflow, node: number): number {
    return workflow.iteration * this.#graph.nodes + node + 1
  }

  #processOf(tier: Tier): number {
    let process = this.#processes.get(tier)
    if (process === undefined) {
      process = workflowsProcess + 1 + this.#processes.size
      this.#processes.set(tier, process)
      this.#name(tier.name, process)
    }
    return process
  }

  #name(name: string, process: number): void {
    this.#event(
      `{"name":"process_name","ph":"M","ts":0,"pid":${process},"tid":0,"args":{"name":${JSON.stringify(name)}}}`,
    )
  }

  #event(line: string): void {
    this.#text += this.#isFirst ? line : `,\n${line}`
    this.#isFirst = false
    if (this.#text.length > flushBytes) this.#flush()
  }

  #flush(): void {
    writeSync(this.#descriptor, this.#text)
    this.#text = ''
  }
}

const workflowsProcess = 1

/** Chrome's unit is the microsecond. */
const us = (ms: number): number => Math.round(ms * 1000)

/** Both ends are rounded in the same way: consecutive slices of a lane never seem to overlap. */
const span = (from: number, to: number): string => `"ts":${us(from)},"dur":${us(to) - us(from)}`
