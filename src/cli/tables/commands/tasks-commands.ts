import type { CommandRow } from './command.ts'

export const tasksCommands = {
  tasks: {
    group: 'Agents',
    summary: 'list tasks for agents, what each needs, and what is wrong with them',
    description:
      'Reads task folders of Harbor, terminal-bench and OneShot, folders of such folders, and SWE-bench files (.jsonl), and starts nothing. -v also shows every line that a task needs something for, and notes about parts that are left out. The exit code is 1 if a task is broken. docs/tasks.md explains the formats.',
    arguments: [
      { name: '<what>', description: 'list', choices: ['list'] },
      { name: '[paths...]', description: 'task folders, folders of them, or .jsonl files (default: this folder)' },
    ],
    options: ['taskFormat', 'repos'],
    examples: [
      ['tasks list examples/tasks', 'every task in a folder'],
      ['tasks list examples/tasks/lru-cache -v', 'one task, with each line that needs something'],
      ['tasks list swe-bench.jsonl --repos ~/clones --json', 'SWE-bench instances, and which repositories are missing'],
    ],
  },
} as const satisfies Record<string, CommandRow>
