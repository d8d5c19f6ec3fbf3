import type { CommandSpec } from './command.ts'
import { moreCommands } from './tables/more-commands.ts'
import { runCommands } from './tables/run-commands.ts'

/** The commands there are: a row of the tables, and where its code is. Import expressions keep that code unread until it is used. */
export const commands: readonly CommandSpec[] = [
  { name: 'init', ...runCommands.init, load: async () => (await import('./commands/init.ts')).initCommand },
  { name: 'schema', ...moreCommands.schema, load: async () => (await import('./commands/schema.ts')).schemaCommand },
  { name: 'doctor', ...moreCommands.doctor, load: async () => (await import('./commands/doctor.ts')).doctorCommand },
  {
    name: 'completion',
    ...moreCommands.completion,
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
]
