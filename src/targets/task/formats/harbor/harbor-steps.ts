import type { PlacedFile, Solution, TaskStep } from '../../task.ts'
import type { TaskFolder } from '../task-folder.ts'
import type { HarborSettings, HarborStep } from './harbor-schema.ts'
import { withoutCanary } from './instruction.ts'

/** The only step of most tasks, or those of [[steps]], each in its own folder below steps/. */
export function readSteps(settings: HarborSettings, folder: TaskFolder): readonly TaskStep[] {
  if (settings.steps.length > 0) {
    const names = settings.steps.map(({ name }) => name)
    for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at)))
      folder.problems.push(`task.toml: steps: "${name}" is there twice`)
    return settings.steps.map(step => readStep(step, settings, folder))
  }
  if (!folder.hasFile('instruction.md') && folder.hasFolder('steps'))
    folder.problems.push('task.toml: steps: missing; the folder steps/ is there, and [[steps]] must list what is in it')
  return [
    {
      name: 'main',
      instruction: readInstruction('instruction.md', folder),
      tests: readTests([''], settings.verifier.env, settings, folder),
      solution: readSolution('solution', settings, folder),
      minReward: null,
      agentSec: settings.agent.timeout_sec ?? null,
      verifySec: settings.verifier.timeout_sec,
      agentUser: settings.agent.user ?? null,
      verifyUser: settings.verifier.user ?? null,
      workdir: null,
      healthcheck: null,
      artifacts: settings.artifacts,
    },
  ]
}

/** A step's missing settings come from the task. */
function readStep(step: HarborStep, settings: HarborSettings, folder: TaskFolder): TaskStep {
  const place = `steps/${step.name}`
  const env = { ...settings.verifier.env, ...step.verifier.env }
  const workdir = `${place}/workdir`
  const least = step.min_reward ?? null
  return {
    name: step.name,
    instruction: readInstruction(`${place}/instruction.md`, folder),
    tests: readTests(['', `${place}/`], env, settings, folder),
    solution: readSolution(`${place}/solution`, settings, folder),
    minReward: typeof least === 'number' ? { reward: least } : least,
    agentSec: step.agent.timeout_sec ?? settings.agent.timeout_sec ?? null,
    verifySec: step.verifier.timeout_sec ?? settings.verifier.timeout_sec,
    agentUser: step.agent.user ?? settings.agent.user ?? null,
    verifyUser: step.verifier.user ?? settings.verifier.user ?? null,
    workdir: folder.hasFolder(workdir)
      ? { folder: folder.path(workdir), hasSetup: folder.hasFile(`${workdir}/setup.sh`) }
      : null,
    healthcheck: step.healthcheck ?? null,
    artifacts: [...settings.artifacts, ...step.artifacts],
  }
}

function readInstruction(file: string, folder: TaskFolder): string {
  const text = withoutCanary(folder.readText(file) ?? '')
  // An unreadable file has been named already.
  if (text.trim() === '' && !folder.problems.some(problem => problem.startsWith(`${file}:`)))
    folder.problems.push(`${file}: is empty: the agent would get no instruction`)
  return text
}

/** tests/ of the task, overlaid with that of the step. */
function readTests(
  places: readonly string[],
  env: Readonly<Record<string, string>>,
  { environment }: HarborSettings,
  folder: TaskFolder,
): TaskStep['tests'] {
  const folders = places.map(place => `${place}tests`).filter(name => folder.hasFolder(name))
  if (environment.os !== 'windows' && !folders.some(name => folder.hasFile(`${name}/test.sh`)))
    folder.problems.push(`${places.at(-1)}tests/test.sh: is missing`)
  const files = folders.map((name): PlacedFile => ({ from: { folder: folder.path(name) }, to: '/tests' }))
  return { kind: 'script', files, command: ['/tests/test.sh'], env, scoring: 'reward' }
}

function readSolution(place: string, { solution }: HarborSettings, folder: TaskFolder): Solution | null {
  if (!folder.hasFolder(place)) return null
  if (!folder.hasFile(`${place}/solve.sh`)) {
    folder.notes.push(`${place}/: has no solve.sh, so there is no solution to check the task with`)
    return null
  }
  return {
    kind: 'script',
    files: [{ from: { folder: folder.path(place) }, to: '/solution' }],
    command: ['/solution/solve.sh'],
    env: solution.env,
  }
}
