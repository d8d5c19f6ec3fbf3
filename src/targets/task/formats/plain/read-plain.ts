import { type BrokenTask, noLimits, onlyStep, type Task } from '../../task.ts'
import { digestFiles } from '../digest-files.ts'
import type { TaskFolder } from '../task-folder.ts'

/** Where the agent finds the files. */
const workdir = '/app'

/**
 * A folder with an instruction.md, and perhaps a folder `files` that the agent works on. Nothing tests the result: runs
 * have no score.
 */
export function readPlain(folder: TaskFolder): Task | BrokenTask {
  const instruction = folder.readText('instruction.md')
  const hasFiles = folder.hasFolder('files')
  const ofHarbor = ['tests', 'environment', 'solution', 'steps'].filter(name => folder.hasFolder(name))
  if (ofHarbor.length > 0) folder.problems.push(`task.toml: is missing, and ${ofHarbor.join(', ')} would not be used`)
  if (instruction?.trim() === '') folder.problems.push('instruction.md: is empty')
  if (instruction === null || folder.problems.length > 0)
    return { kind: 'broken', id: folder.name, format: 'plain', dir: folder.dir, problems: folder.problems }
  return {
    kind: 'task',
    id: folder.name,
    title: titleOf(instruction),
    format: 'plain',
    dir: folder.dir,
    tags: [],
    difficulty: null,
    digest: digestFiles(folder.dir),
    steps: [
      {
        ...onlyStep,
        ...{ instruction, tests: { kind: 'files', files: [] }, solution: null, agentSec: null, verifySec: 60 },
      },
    ],
    environment: {
      ...{ dockerfile: null, context: null, image: null, repo: null },
      overlays: hasFiles ? [{ from: { folder: folder.path('files') }, to: workdir }] : [],
      ...{ remove: [], buildSec: 600, env: {}, workdir, healthcheck: null },
    },
    limits: noLimits,
    ...{ rubrics: [], rewardStrategy: 'mean', overrides: null, needs: [], unsupported: [], notes: folder.notes },
  }
}

const titleOf = (instruction: string): string =>
  instruction
    .trim()
    .split('\n')[0]
    ?.replace(/^#+\s*/, '') ?? ''
