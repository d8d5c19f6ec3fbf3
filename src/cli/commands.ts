import type { CommandBody, CommandSpec } from './tables/commands/command.ts'
import { type CommandName, commandRows } from './tables/commands/command-rows.ts'

const working = () => import('./commands/working.ts')

/** Where the code of each command is. With import expressions it is only loaded when it is used. */
const code: Readonly<Record<CommandName, () => Promise<CommandBody>>> = {
  init: async () => (await working()).initCommand,
  plan: async () => (await working()).planCommand,
  run: async () => (await working()).runCommand,
  status: async () => (await working()).statusCommand,
  why: async () => (await working()).whyCommand,
  logs: async () => (await import('./commands/run/logs.ts')).logsCommand,
  set: async () => (await working()).setCommand,
  pause: async () => (await working()).pauseCommand,
  resume: async () => (await working()).resumeCommand,
  stop: async () => (await working()).stopCommand,
  tag: async () => (await working()).tagCommand,
  collect: async () => (await working()).collectCommand,
  report: async () => (await import('./commands/look/report.ts')).reportCommand,
  export: async () => (await import('./commands/look/export.ts')).exportCommand,
  serve: async () => (await import('./commands/look/serve.ts')).serveCommand,
  analyze: async () => (await import('./commands/decide/analyze.ts')).analyzeCommand,
  compare: async () => (await import('./commands/decide/compare.ts')).compareCommand,
  effects: async () => (await import('./commands/decide/effects.ts')).effectsCommand,
  diff: async () => (await import('./commands/decide/diff.ts')).diffCommand,
  power: async () => (await import('./commands/decide/power.ts')).powerCommand,
  stats: async () => (await import('./commands/more/stats.ts')).statsCommand,
  sweep: async () => (await working()).sweepCommand,
  worker: async () => (await working()).workerCommand,
  workers: async () => (await import('./commands/search/workers.ts')).workersCommand,
  variance: async () => (await import('./commands/decide/variance.ts')).varianceCommand,
  tasks: async () => (await import('./commands/agents/tasks.ts')).tasksCommand,
  summarize: async () => (await import('./commands/agents/summarize.ts')).summarizeCommand,
  eval: async () => (await import('./commands/agents/eval.ts')).evalCommand,
  parse: async () => (await import('./commands/agents/parse.ts')).parseCommand,
  reprice: async () => (await import('./commands/agents/reprice.ts')).repriceCommand,
  scenario: async () => (await import('./commands/agents/scenario.ts')).scenarioCommand,
  models: async () => (await import('./commands/more/models.ts')).modelsCommand,
  cache: async () => (await import('./commands/keep/cache.ts')).cacheCommand,
  merge: async () => (await import('./commands/keep/merge.ts')).mergeCommand,
  repair: async () => (await import('./commands/keep/repair.ts')).repairCommand,
  sim: async () => (await import('./commands/more/sim.ts')).simCommand,
  schema: async () => (await import('./commands/more/schema.ts')).schemaCommand,
  doctor: async () => (await import('./commands/more/doctor.ts')).doctorCommand,
  completion: async () => (await import('./commands/more/completion.ts')).completionCommand,
}

export const commands: readonly CommandSpec[] = commandRows.map(row => ({ ...row, load: code[row.name] }))
