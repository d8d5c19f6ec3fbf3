import {
  type BrokenTask,
  type Need,
  noLimits,
  onlyStep,
  type PlacedFile,
  type Solution,
  type Task,
  type Tests,
} from '../../task.ts'
import { readCompose } from '../compose.ts'
import { digestFiles } from '../digest-files.ts'
import { needsOfScript } from '../needs/needs-of-commands.ts'
import { copiesEverything, needsOfDockerfile } from '../needs/needs-of-dockerfile.ts'
import { parseSettings } from '../parse-settings.ts'
import { staysBelow } from '../setting-parts.ts'
import type { TaskFolder } from '../task-folder.ts'
import { keystrokesSchema, terminalBenchSchema } from './terminal-bench-schema.ts'

/** A folder with a task.yaml, as terminal-bench 1 has them. */
export function readTerminalBench(folder: TaskFolder): Task | BrokenTask {
  const source = folder.readSettings('task.yaml')
  const settings = source === null ? null : parseSettings(terminalBenchSchema, source, folder)
  const place = readEnvironment(folder)
  const tests = readTests(folder)
  const solution = readSolution(folder)
  if (settings === null || place === null || tests === null || folder.problems.length > 0)
    return { kind: 'broken', id: folder.name, format: 'terminal-bench', dir: folder.dir, problems: folder.problems }
  if (settings.run_tests_in_same_shell)
    folder.notes.push('task.yaml: run_tests_in_same_shell: tests run in a shell of their own, over the same files')
  return {
    kind: 'task',
    id: folder.name,
    title: titleOf(settings.instruction),
    format: 'terminal-bench',
    dir: folder.dir,
    tags: [...new Set([...(settings.category ? [settings.category] : []), ...(settings.tags ?? [])])],
    difficulty: settings.difficulty,
    digest: digestFiles(folder.dir, path => /^readme\b/i.test(path)),
    steps: [
      {
        ...onlyStep,
        instruction: settings.instruction,
        tests,
        solution,
        agentSec: settings.max_agent_timeout_sec,
        verifySec: settings.max_test_timeout_sec,
      },
    ],
    environment: {
      dockerfile: place.dockerfile,
      context: place.dockerfile === null ? null : folder.dir,
      image: place.image,
      repo: null,
      overlays: [],
      remove: [],
      buildSec: 600,
      env: place.env,
      workdir: null,
      healthcheck: null,
    },
    limits: noLimits,
    rubrics: [],
    rewardStrategy: 'mean',
    overrides: null,
    needs: [...place.needs, ...testNeeds(tests, folder)],
    unsupported: [
      ...place.unsupported,
      ...(settings.parser_name === 'pytest' ? [] : [`task.yaml: parser_name: ${settings.parser_name}`]),
    ],
    notes: folder.notes,
  }
}

/** The format has no title: the first sentence of the instruction is used. */
function titleOf(instruction: string): string {
  const line = instruction.trim().split('\n', 1)[0] ?? ''
  const sentence = /^.*?[.?!](?=\s|$)/.exec(line)?.[0] ?? line
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence
}

interface Place {
  readonly dockerfile: string | null
  readonly image: string | null
  readonly env: Readonly<Record<string, string>>
  readonly needs: readonly Need[]
  readonly unsupported: readonly string[]
}

function readEnvironment(folder: TaskFolder): Place | null {
  const composeFile = ['docker-compose.yaml', 'docker-compose.yml'].find(name => folder.hasFile(name))
  const compose = composeFile === undefined ? null : readCompose(composeFile, 'client', folder)
  if (composeFile !== undefined && compose === null) return null
  const file = compose?.dockerfile ?? 'Dockerfile'
  const image = compose?.image ?? null
  const rest = { image, env: compose?.env ?? {}, unsupported: compose?.unsupported ?? [] }
  if (!staysBelow(file)) {
    folder.problems.push(`${composeFile}: services.client.build.dockerfile: "${file}" leads out of the task folder`)
    return null
  }
  if (image !== null)
    return { ...rest, dockerfile: null, needs: [{ kind: 'image', what: image, where: composeFile ?? null }] }
  const text = folder.readText(file)
  if (text === null) return null
  if (copiesEverything(text))
    folder.notes.push(`${file}: copies the whole folder, tests and solution included, to where the agent sees them`)
  return { ...rest, dockerfile: folder.path(file), needs: needsOfDockerfile(text, file) }
}

/** run-tests.sh and tests/ are next to each other in /tests. Without the script, pytest runs tests/test_outputs.py. */
function readTests(folder: TaskFolder): Tests | null {
  const files: PlacedFile[] = folder.hasFolder('tests')
    ? [{ from: { folder: folder.path('tests') }, to: '/tests' }]
    : []
  const env = { TEST_DIR: '/tests' }
  const isAlone = !folder.hasFile('run-tests.sh') && folder.hasFile('tests/test_outputs.py')
  if (isAlone) {
    const command = ['python3', '-m', 'pytest', '-rA', '/tests/test_outputs.py']
    return { kind: 'script', files, command, env, scoring: 'pytest-summary' }
  }
  if (folder.readText('run-tests.sh') === null) return null
  files.push({ from: { file: folder.path('run-tests.sh') }, to: '/tests/run-tests.sh' })
  return { kind: 'script', files, command: ['bash', '/tests/run-tests.sh'], env, scoring: 'pytest-summary' }
}

function testNeeds(tests: Tests, folder: TaskFolder): readonly Need[] {
  if (folder.hasFile('run-tests.sh')) return needsOfScript(folder.readText('run-tests.sh') ?? '', 'run-tests.sh')
  return tests.kind === 'script' ? [{ kind: 'program', what: 'pytest', where: 'tests/test_outputs.py' }] : []
}

function readSolution(folder: TaskFolder): Solution | null {
  if (folder.hasFile('solution.sh')) {
    const files = [{ from: { file: folder.path('solution.sh') }, to: '/oracle/solution.sh' }]
    return { kind: 'script', files, command: ['bash', '/oracle/solution.sh'], env: {} }
  }
  if (!folder.hasFile('solution.yaml')) return null
  const source = folder.readSettings('solution.yaml')
  const commands = source === null ? null : parseSettings(keystrokesSchema, source, folder)
  return commands === null ? null : { kind: 'keystrokes', commands }
}
