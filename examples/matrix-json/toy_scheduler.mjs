#!/usr/bin/env node
// Does a configuration of the original sweep runner work here as it is? (Yes: same run names, same command lines.)
//
//   npx assay run --config examples/matrix-json/smoke.json --jobs 2 --resume
//   npx assay collect --exp_dir bench_runs/matrix-smoke
//
// This program stands in for a scheduler simulator: it takes its flags and writes its files, and simulates very little.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }
const { values } = parseArgs({
  options: {
    workflows: text,
    pdfs: text,
    iters: text,
    subqueries: text,
    policy: text,
    seed: text,
    time_scale: text,
    heavy_tail_prob: text,
    heavy_tail_mult: text,
    enable_model_routing: flag,
    disable_hedging: flag,
    out_dir: text,
  },
})

const random = generator(Number(values.seed))
const isFull = values.policy === 'full'
const isHedged = isFull && values.enable_model_routing && !values.disable_hedging
const makespans = Array.from({ length: Number(values.workflows) }, makespan).sort((a, b) => a - b)
const cost = Number(values.pdfs) * (isFull ? 0.012 : 0.01) * (isHedged ? 1.05 : 1)

writeCsv('summary.csv', {
  makespan_mean_ms: mean(makespans),
  makespan_p50_ms: quantile(0.5),
  makespan_p95_ms: quantile(0.95),
  makespan_p99_ms: quantile(0.99),
  cost_mean: cost,
  cost_p50: cost,
})
writeCsv('tiers.csv', { provider: 'toy', tier_id: 0, in_flight_avg: 1.5, queue_wait_p95_ms: 40, utilization: 0.75 })

/** Every step may land in the heavy tail; hedging takes the faster of two tries. */
function makespan() {
  let ms = 0
  const steps = Number(values.pdfs) * Number(values.iters) * Number(values.subqueries)
  for (let step = 0; step < steps; step++) ms += isHedged ? Math.min(stepTime(), stepTime()) : stepTime()
  return isFull ? 0.8 * ms : ms
}

function stepTime() {
  const ms = -100 * Math.log(1 - random())
  return random() < Number(values.heavy_tail_prob) ? ms * Number(values.heavy_tail_mult) : ms
}

function writeCsv(name, row) {
  writeFileSync(join(values.out_dir, name), `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`)
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function quantile(share) {
  return makespans[Math.min(makespans.length - 1, Math.floor(share * makespans.length))]
}

/** mulberry32 */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
