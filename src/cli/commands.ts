import type { CommandSpec } from './tables/command.ts'
import { lookCommands } from './tables/look-commands.ts'
import { moreCommands } from './tables/more-commands.ts'
import { runCommands } from './tables/run-commands.ts'
import { searchCommands } from './tables/search-commands.ts'

/** The commands there are: a row of the tables, and where its code is. Import expressions keep that code unread until it is used. */
export const commands: readonly CommandSpec[] = [
  { name: 'init', ...runCommands.init, load: async () => (await import('./commands/init.ts')).initCommand },
  { name: 'plan', ...runCommands.plan, load: async () => (await import('./commands/plan.ts')).planCommand },
  { name: 'run', ...runCommands.run, load: async () => (await import('./commands/run.ts')).runCommand },
  { name: 'status', ...runCommands.status, load: async () => (await import('./commands/status.ts')).statusCommand },
  { name: 'why', ...runCommands.why, load: async () => (await import('./commands/why.ts')).whyCommand },
  { name: 'set', ...runCommands.set, load: async () => (await import('./commands/set.ts')).setCommand },
  { name: 'pause', ...runCommands.pause, load: async () => (await import('./commands/control.ts')).pauseCommand },
  { name: 'resume', ...runCommands.resume, load: async () => (await import('./commands/control.ts')).resumeCommand },
  { name: 'stop', ...runCommands.stop, load: async () => (await import('./commands/control.ts')).stopCommand },
  { name: 'tag', ...runCommands.tag, load: async () => (await import('./commands/tag.ts')).tagCommand },
  {
    name: 'collect',
    ...lookCommands.collect,
    load: async () => (await import('./commands/collect.ts')).collectCommand,
  },
  { name: 'worker', ...searchCommands.worker, load: async () => (await import('./commands/worker.ts')).workerCommand },
  { name: 'schema', ...moreCommands.schema, load: async () => (await import('./commands/schema.ts')).schemaCommand },
  { name: 'doctor', ...moreCommands.doctor, load: async () => (await import('./commands/doctor.ts')).doctorCommand },
  {
    name: 'completion',
    ...moreCommands.completion,
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
]
