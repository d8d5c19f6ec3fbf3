import type { BrokenTask, Need, Task } from '../../task.ts'
import { readCompose } from '../compose.ts'
import { digestFiles } from '../digest-files.ts'
import { neededVariables } from '../host-variables.ts'
import { needsOfScript } from '../needs/needs-of-commands.ts'
import { needsOfDockerfile } from '../needs/needs-of-dockerfile.ts'
import { parseSettings } from '../parse-settings.ts'
import type { TaskFolder } from '../task-folder.ts'
import { limitsOf, unsupportedIn } from './harbor-limits.ts'
import { type HarborSettings, harborSchema } from './harbor-schema.ts'
import { readSteps } from './harbor-steps.ts'

/** A folder with a task.toml: https://www.harborframework.com/docs/tasks has the format. */
export function readHarbor(folder: TaskFolder): Task | BrokenTask {
  const source = folder.readSettings('task.toml')
  const settings = source === null ? null : parseSettings(harborSchema, source, folder)
  // If the settings are wrong, instruction and tests are still checked: all problems at once.
  const steps =
    settings === null && folder.hasFolder('steps') ? [] : readSteps(settings ?? harborSchema.parse({}), folder)
  const place = settings === null ? null : readEnvironment(settings, folder)
  if (settings === null || place === null || folder.problems.length > 0)
    return {
      kind: 'broken',
      id: settings?.task.name ?? folder.name,
      format: 'harbor',
      dir: folder.dir,
      problems: folder.problems,
    }
  const { environment, metadata, task } = settings
  if (environment.skills_dir != null) folder.notes.push('task.toml: environment.skills_dir: agents are not told of it')
  return {
    kind: 'task',
    id: task.name ?? folder.name,
    title: titleOf(settings, folder),
    format: 'harbor',
    dir: folder.dir,
    tags: [...new Set([...task.keywords, ...textsIn(metadata.tags)])],
    difficulty: typeof metadata.difficulty === 'string' ? metadata.difficulty : null,
    digest: digestFiles(folder.dir, path => /^readme\b/i.test(path)),
    steps,
    environment: {
      dockerfile: place.dockerfile,
      context: folder.hasFolder('environment') ? folder.path('environment') : null,
      image: environment.docker_image ?? place.image,
      repo: null,
      overlays: [],
      remove: [],
      buildSec: environment.build_timeout_sec,
      env: { ...place.env, ...environment.env },
      workdir: environment.workdir ?? null,
      healthcheck: environment.healthcheck ?? null,
    },
    limits: limitsOf(settings),
    rubrics: [],
    rewardStrategy: settings.multi_step_reward_strategy ?? 'mean',
    overrides: null,
    needs: [...place.needs, ...scriptNeeds(steps, folder), ...variableNeeds(settings)],
    unsupported: [...place.unsupported, ...unsupportedIn(settings)],
    notes: folder.notes,
  }
}

function titleOf({ task, metadata }: HarborSettings, folder: TaskFolder): string {
  const [line = ''] = task.description.trim().split('\n')
  if (line !== '') return line
  return typeof metadata.title === 'string' ? metadata.title : (task.name ?? folder.name)
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : []

interface Place {
  readonly dockerfile: string | null
  readonly image: string | null
  readonly env: Readonly<Record<string, string>>
  readonly needs: readonly Need[]
  readonly unsupported: readonly string[]
}

function readEnvironment({ environment }: HarborSettings, folder: TaskFolder): Place | null {
  const file = 'environment/Dockerfile'
  const hasDockerfile = folder.hasFile(file)
  const composeFile = ['environment/docker-compose.yaml', 'environment/docker-compose.yml'].find(name =>
    folder.hasFile(name),
  )
  const compose = composeFile === undefined ? null : readCompose(composeFile, 'main', folder)
  if (composeFile !== undefined && compose === null) return null
  const image = environment.docker_image ?? compose?.image ?? null
  if (!hasDockerfile && image === null) {
    folder.problems.push(`${file}: is missing, and task.toml names no docker_image`)
    return null
  }
  const text = hasDockerfile ? folder.readText(file) : ''
  if (text === null) return null
  const needs = needsOfDockerfile(text, file)
  return {
    dockerfile: hasDockerfile ? folder.path(file) : null,
    image: compose?.image ?? null,
    env: compose?.env ?? {},
    needs: image === null ? needs : [{ kind: 'image', what: image, where: null }, ...needs],
    unsupported: compose?.unsupported ?? [],
  }
}

/** What the tests install or download themselves, when it is too late to build an image. */
function scriptNeeds(steps: Task['steps'], folder: TaskFolder): readonly Need[] {
  const scripts = new Set(
    steps
      .flatMap(({ tests }) => (tests.kind === 'script' ? tests.files : []))
      .flatMap(({ from }) => ('folder' in from ? [`${from.folder.slice(folder.dir.length + 1)}/test.sh`] : [])),
  )
  return [...scripts]
    .filter(name => folder.hasFile(name))
    .flatMap(name => needsOfScript(folder.readText(name) ?? '', name))
}

function variableNeeds({ environment, verifier, solution, steps }: HarborSettings): readonly Need[] {
  const tables = [
    ['environment.env', environment.env],
    ['verifier.env', verifier.env],
    ['solution.env', solution.env],
    ...steps.map(step => [`steps.${step.name}.verifier.env`, step.verifier.env] as const),
  ] as const
  return tables.flatMap(([table, values]) =>
    neededVariables(values).map(name => ({ kind: 'variable' as const, what: name, where: `task.toml ${table}` })),
  )
}
