import type { CommandBody, CommandSpec } from './tables/command.ts'
import { type CommandName, commandRows } from './tables/command-rows.ts'

/** Where the code of each command is. Import expressions keep it unread until it is used. */
const code: Readonly<Record<CommandName, () => Promise<CommandBody>>> = {
  init: async () => (await import('./commands/init.ts')).initCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  why: async () => (await import('./commands/why.ts')).whyCommand,
  set: async () => (await import('./commands/set.ts')).setCommand,
  pause: async () => (await import('./commands/control.ts')).pauseCommand,
  resume: async () => (await import('./commands/control.ts')).resumeCommand,
  stop: async () => (await import('./commands/control.ts')).stopCommand,
  tag: async () => (await import('./commands/tag.ts')).tagCommand,
  collect: async () => (await import('./commands/collect.ts')).collectCommand,
  analyze: async () => (await import('./commands/analyze.ts')).analyzeCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  effects: async () => (await import('./commands/effects.ts')).effectsCommand,
  diff: async () => (await import('./commands/diff.ts')).diffCommand,
  power: async () => (await import('./commands/power.ts')).powerCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  variance: async () => (await import('./commands/variance.ts')).varianceCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  sim: async () => (await import('./commands/sim.ts')).simCommand,
  schema: async () => (await import('./commands/schema.ts')).schemaCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

export const commands: readonly CommandSpec[] = commandRows.map(row => ({ ...row, load: code[row.name] }))
