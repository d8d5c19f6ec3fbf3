import type { Options } from '../options.ts'

/** Projects and entities are places in W&B; here they are words to find an experiment by. */
export const projectTags = ({ project, entity }: Options): readonly string[] => [
  ...(project === undefined ? [] : [`project:${project}`]),
  ...(entity === undefined ? [] : [`entity:${entity}`]),
]
