import * as z from 'zod'
import {
  amountAbove0,
  boxUser,
  countFrom0,
  environment,
  pathBelow,
  pathInBox,
  seconds,
  secondsFrom0,
  textThere,
} from '../setting-parts.ts'
import { oldSize } from './sizes.ts'

const networkMode = z.enum(['public', 'no-network', 'allowlist'])
const network = { network_mode: networkMode.optional(), allowed_hosts: z.array(textThere).optional() }

/** The documentation has both spellings of these keys. */
const healthcheck = z.lazy(() =>
  z
    .strictObject({
      command: textThere,
      interval_sec: secondsFrom0.optional(),
      interval: secondsFrom0.optional(),
      timeout_sec: seconds.optional(),
      timeout: seconds.optional(),
      start_period_sec: secondsFrom0.optional(),
      start_period: secondsFrom0.optional(),
      start_interval_sec: secondsFrom0.optional(),
      retries: countFrom0.default(3),
    })
    .transform(({ command, retries, ...times }) => ({
      command,
      retries,
      intervalSec: times.interval_sec ?? times.interval ?? 5,
      timeoutSec: times.timeout_sec ?? times.timeout ?? 30,
      startPeriodSec: times.start_period_sec ?? times.start_period ?? 0,
    })),
)

const artifact = z.lazy(() =>
  z
    .union([pathInBox, z.looseObject({ source: pathInBox, destination: pathBelow.nullish() })], {
      error: 'expected an absolute path, or { source, destination }',
    })
    .transform(written =>
      typeof written === 'string'
        ? { source: written, destination: null }
        : { source: written.source, destination: written.destination ?? null },
    ),
)

const server = z.lazy(() =>
  z.looseObject({
    name: textThere,
    transport: z.enum(['sse', 'streamable-http', 'stdio']).optional(),
    url: textThere.nullish(),
    command: textThere.nullish(),
    args: z.array(z.string()).optional(),
  }),
)

const boxShape = {
  build_timeout_sec: seconds.default(600),
  docker_image: textThere.nullish(),
  cpus: amountAbove0.nullish(),
  memory_mb: amountAbove0.nullish(),
  storage_mb: amountAbove0.nullish(),
  memory: oldSize.nullish(),
  storage: oldSize.nullish(),
  gpus: countFrom0.nullish(),
  gpu_types: z.array(textThere).nullish(),
  allow_internet: z.boolean().nullish(),
  ...network,
  env: environment.default({}),
  workdir: pathInBox.nullish(),
  skills_dir: textThere.nullish(),
  healthcheck: healthcheck.nullish(),
  mcp_servers: z.array(server).nullish(),
  os: z.enum(['linux', 'windows']).nullish(),
}

const verifierShape = {
  env: environment.default({}),
  user: boxUser.nullish(),
  environment_mode: z.enum(['shared', 'separate']).nullish(),
  environment: z.record(z.string(), z.unknown()).nullish(),
  collect: z.array(z.unknown()).nullish(),
  ...network,
}

const agent = z.lazy(() => z.strictObject({ timeout_sec: seconds.nullish(), user: boxUser.nullish(), ...network }))

const step = z.lazy(() =>
  z.strictObject({
    name: z.string().regex(/^(?!\.+$)[\w.-]+$/, { error: 'expected the name of a folder in steps/' }),
    min_reward: z
      .union([z.number(), z.record(z.string(), z.number())], { error: 'expected a number, or numbers by reward' })
      .nullish(),
    agent: agent.prefault({}),
    verifier: z.strictObject({ ...verifierShape, timeout_sec: seconds.nullish() }).prefault({}),
    healthcheck: healthcheck.nullish(),
    artifacts: z.array(artifact).default([]),
  }),
)

/** `task.toml`, schema 1.0 to 1.4. */
export const harborSchema = z.lazy(() =>
  z.strictObject({
    schema_version: z.union([z.string(), z.number()]).optional(),
    version: z.union([z.string(), z.number()]).optional(),
    task: z
      .strictObject({
        name: textThere.optional(),
        description: z.string().default(''),
        authors: z.array(z.unknown()).optional(),
        keywords: z.array(z.string()).default([]),
      })
      .prefault({}),
    metadata: z.record(z.string(), z.unknown()).default({}),
    agent: agent.prefault({}),
    verifier: z.strictObject({ ...verifierShape, timeout_sec: seconds.default(600) }).prefault({}),
    solution: z.strictObject({ env: environment.default({}) }).prefault({}),
    environment: z.strictObject(boxShape).prefault({}),
    artifacts: z.array(artifact).default([]),
    source: z.unknown().optional(),
    steps: z.array(step).default([]),
    multi_step_reward_strategy: z.enum(['mean', 'final']).nullish(),
    multi_step_reward_mode: z.unknown().optional(),
  }),
)

export type HarborSettings = z.output<typeof harborSchema>
export type HarborStep = HarborSettings['steps'][number]
