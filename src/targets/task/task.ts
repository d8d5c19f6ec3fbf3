/** Where a task comes from. Each format is read from its own folder, unchanged; all become the same record. */
export const taskFormats = ['harbor', 'terminal-bench', 'oneshot', 'swe-bench', 'plain'] as const
export type TaskFormat = (typeof taskFormats)[number]

/**
 * A piece of work for an agent: what to do, where, and how the result is tested. Independent of this machine's
 * environment.
 */
export interface Task {
  readonly kind: 'task'
  readonly id: string
  readonly title: string
  readonly format: TaskFormat
  /** Absolute. */
  readonly dir: string
  readonly tags: readonly string[]
  readonly difficulty: string | null
  /** Covers every file that affects a run: part of a run's identity. */
  readonly digest: string
  /** In order, all in one environment; only Harbor has tasks with more than one. */
  readonly steps: readonly TaskStep[]
  readonly environment: TaskEnvironment
  readonly limits: TaskLimits
  readonly rubrics: readonly Rubric[]
  /** How the rewards of several steps are combined: their mean over all declared steps, or that of the last. */
  readonly rewardStrategy: 'mean' | 'final'
  /** The content of the task's own overrides.json; not applied yet. */
  readonly overrides: Overrides | null
  /** What it needs to run: images, packages, variables, a judge. */
  readonly needs: readonly Need[]
  /** Parts that no sandbox of assay can do: a run ends as `unsupported_environment`, naming them. */
  readonly unsupported: readonly string[]
  /** For people: unknown keys, parts that are left out. */
  readonly notes: readonly string[]
}

/** A folder that is meant to be a task, but can't be run as one. */
export interface BrokenTask {
  readonly kind: 'broken'
  readonly id: string
  readonly format: TaskFormat
  readonly dir: string
  /** One line each: `task.toml:3:15  agent.timeout_sec: expected a number above 0, got -5`. */
  readonly problems: readonly string[]
}

export interface TaskStep {
  /** `main` if there is only one. */
  readonly name: string
  readonly instruction: string
  readonly tests: Tests
  readonly solution: Solution | null
  /** By the name of the reward: a step that stays below ends the task. */
  readonly minReward: Readonly<Record<string, number>> | null
  /** null: the task sets no limit. */
  readonly agentSec: number | null
  readonly verifySec: number
  readonly agentUser: string | null
  readonly verifyUser: string | null
  /** Copied into the working directory before the agent starts; its setup.sh is run there, as the agent. */
  readonly workdir: { readonly folder: string; readonly hasSetup: boolean } | null
  readonly healthcheck: Healthcheck | null
  readonly artifacts: readonly Artifact[]
}

export interface TaskEnvironment {
  /** Absolute, as is the folder that its COPY lines mean. */
  readonly dockerfile: string | null
  readonly context: string | null
  /** Used instead of the Dockerfile if a sandbox can pull images. */
  readonly image: string | null
  /** Put at `workdir` and committed as the baseline, before overlays and removals. */
  readonly repo: RepoSource | null
  /** In this order, each over the one before. */
  readonly overlays: readonly PlacedFile[]
  /** Patterns below the repository: see {@link file://./formats/oneshot/removed-paths.ts}. */
  readonly remove: readonly string[]
  readonly buildSec: number
  /** Values may be `${VAR}` or `${VAR:-default}`: see {@link file://./formats/host-variables.ts}. */
  readonly env: Readonly<Record<string, string>>
  /** null: that of the image. */
  readonly workdir: string | null
  readonly healthcheck: Healthcheck | null
}

export type RepoSource =
  /** Local files, absolute. `isRepository`: has commits of its own; otherwise all files become one. */
  | { readonly kind: 'folder'; readonly path: string; readonly isRepository: boolean; readonly commit: string | null }
  | {
      readonly kind: 'git'
      readonly url: string
      readonly branch: string
      /** null: the tip of the branch. */
      readonly commit: string | null
    }

/** Where something that goes into a box comes from. */
export type Content = { readonly file: string } | { readonly folder: string } | { readonly text: string }

export interface PlacedFile {
  readonly from: Content
  /** Absolute, inside the box. */
  readonly to: string
}

export interface Healthcheck {
  readonly command: string
  readonly intervalSec: number
  readonly timeoutSec: number
  readonly startPeriodSec: number
  readonly retries: number
}

export interface TaskLimits {
  readonly cpus: number | null
  readonly memoryMb: number | null
  readonly storageMb: number | null
  readonly gpus: number
  /** Whether the agent may use the network, and whether the tests may. */
  readonly network: boolean
  readonly verifyNetwork: boolean
  /** The only hosts that may be reached; null: any. */
  readonly allowedHosts: readonly string[] | null
}

/** The limits of a task whose format has none; its agent and its tests have the network. */
export const noLimits: TaskLimits = {
  cpus: null,
  memoryMb: null,
  storageMb: null,
  gpus: 0,
  network: true,
  verifyNetwork: true,
  allowedHosts: null,
}

/** What the only step of a task has, where its format says no more about steps. */
export const onlyStep = {
  name: 'main',
  minReward: null,
  agentUser: null,
  verifyUser: null,
  workdir: null,
  healthcheck: null,
  artifacts: [],
} as const satisfies Partial<TaskStep>

export type Tests =
  /** Laid over one another in this order, then the command is run in the working directory. */
  | {
      readonly kind: 'script'
      readonly files: readonly PlacedFile[]
      readonly command: readonly string[]
      readonly env: Readonly<Record<string, string>>
      /** reward.txt and reward.json in /logs/verifier, or pytest's "short test summary info" on standard output. */
      readonly scoring: 'reward' | 'pytest-summary'
    }
  /** Written into the repository and run one by one. */
  | { readonly kind: 'files'; readonly files: readonly TestFile[] }
  /** SWE-bench: the patch brings the tests; all of these must pass afterwards. */
  | {
      readonly kind: 'patch'
      readonly patch: string
      readonly failToPass: readonly string[]
      readonly passToPass: readonly string[]
    }

export interface TestFile {
  /** Below the repository. */
  readonly path: string
  readonly content: string
  readonly rubricId: string
  /** A line for a shell, in the repository; null: `python3 -m pytest -q <path>`. Exit code 0 passes. */
  readonly command: string | null
}

export interface Rubric {
  readonly id: string
  readonly criterion: string
  readonly weight: number
  readonly evaluationCriteria: readonly string[]
}

export type Solution =
  | {
      readonly kind: 'script'
      readonly files: readonly PlacedFile[]
      readonly command: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly kind: 'patch'; readonly patch: { readonly file: string } | { readonly text: string } }
  | { readonly kind: 'keystrokes'; readonly commands: readonly Keystrokes[] }

/** The keys that a person would type into a terminal. */
export interface Keystrokes {
  readonly command: string
  readonly minSec: number
  readonly maxSec: number
  /** Whether to wait until it has ended. */
  readonly isBlocking: boolean
  readonly hasEnter: boolean
}

export interface Artifact {
  /** Absolute, inside the box. */
  readonly source: string
  /** Below the run's artifacts; null: under its own name. */
  readonly destination: string | null
}

export const needKinds = [
  'image',
  'package',
  'download',
  'program',
  'variable',
  'repository',
  'judge',
  'network',
  'gpu',
  'service',
] as const

/** One thing that must be there, and the line that asks for it. */
export interface Need {
  readonly kind: (typeof needKinds)[number]
  /** As written in the task: `pip install pytest==8.4.1`, `python:3.12-slim`, `OPENAI_API_KEY`. */
  readonly what: string
  /** Relative to the task: `environment/Dockerfile:7`; null: no line says it. */
  readonly where: string | null
}

/** What overrides.json may change, as it is written there; every key is optional. */
export interface Overrides {
  readonly instruction: string | null
  /** By path below /app. */
  readonly overlayFiles: Readonly<Record<string, string>>
  /** By path below the repository. */
  readonly overlayRepoFiles: Readonly<Record<string, string>>
  readonly removeRepoPaths: readonly string[]
  readonly evaluation: { readonly rubrics: readonly Rubric[]; readonly tests: readonly TestFile[] } | null
  readonly repo: RepoSource | null
  readonly settings: RunSettings
  /** Of its text. */
  readonly digest: string
  readonly notes: readonly string[]
}

/** Settings in overrides about how to run, rather than about the task. */
export interface RunSettings {
  readonly model: string | null
  readonly provider: string | null
  readonly baseUrl: string | null
  readonly env: Readonly<Record<string, string>>
}
