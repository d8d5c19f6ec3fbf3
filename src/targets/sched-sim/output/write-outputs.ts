import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SimSettings } from '../settings.ts'
import { stepGraph } from '../simulate/graph/step-graph.ts'
import type { SimListener } from '../simulate/listener.ts'
import { type SimResult, simulate } from '../simulate/simulation.ts'
import { summaryCsv, tiersCsv, workflowsCsv } from './tables.ts'
import { type TraceDetail, TraceFile } from './trace-file.ts'

export interface OutputWishes {
  /** A folder that exists. */
  readonly outDir: string
  readonly trace: TraceDetail | 'none'
  onProgress?(ended: number): void
}

/** Simulates, and writes the files of one run. */
export function simulateIntoFiles(settings: SimSettings, { outDir, trace, onProgress }: OutputWishes): SimResult {
  const traceFile = join(outDir, 'trace.json')
  // A file of an earlier simulation would be taken for this one's.
  rmSync(traceFile, { force: true })
  const file = trace === 'none' ? null : new TraceFile(traceFile, stepGraph(settings.model, settings), trace)
  try {
    const result = simulate(settings, listenerOf(file, onProgress))
    writeFileSync(join(outDir, 'summary.csv'), summaryCsv(result))
    writeFileSync(join(outDir, 'workflows.csv'), workflowsCsv(result))
    writeFileSync(join(outDir, 'tiers.csv'), tiersCsv(result))
    return result
  } finally {
    file?.close()
  }
}

function listenerOf(file: TraceFile | null, onProgress: OutputWishes['onProgress']): SimListener {
  if (file === null) return onProgress === undefined ? {} : { done: (_now, _workflow, ended) => onProgress(ended) }
  if (onProgress === undefined) return file
  return {
    runnable: file.runnable.bind(file),
    queued: file.queued.bind(file),
    hedged: file.hedged.bind(file),
    started: file.started.bind(file),
    ended: file.ended.bind(file),
    done(now, workflow, ended) {
      file.done(now, workflow)
      onProgress(ended)
    },
  }
}
