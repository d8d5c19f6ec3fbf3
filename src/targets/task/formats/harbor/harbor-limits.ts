import type { TaskLimits } from '../../task.ts'
import type { HarborSettings } from './harbor-schema.ts'

export function limitsOf({ environment, agent, verifier }: HarborSettings): TaskLimits {
  const mode = environment.network_mode ?? (environment.allow_internet === false ? 'no-network' : 'public')
  const agentMode = agent.network_mode ?? mode
  return {
    cpus: environment.cpus ?? 1,
    memoryMb: environment.memory_mb ?? environment.memory ?? 2048,
    storageMb: environment.storage_mb ?? environment.storage ?? 10_240,
    gpus: environment.gpus ?? 0,
    network: agentMode !== 'no-network',
    verifyNetwork: (verifier.network_mode ?? mode) !== 'no-network',
    allowedHosts: agentMode === 'allowlist' ? (agent.allowed_hosts ?? environment.allowed_hosts ?? []) : null,
  }
}

/** Parts of a Harbor task that need more than a box and a Dockerfile. */
export function unsupportedIn({ environment, verifier, steps }: HarborSettings): readonly string[] {
  const verifiers = [
    { name: 'verifier', ...verifier },
    ...steps.map(step => ({ name: `steps.${step.name}.verifier`, ...step.verifier })),
  ]
  return [
    ...((environment.gpus ?? 0) > 0 ? [`task.toml: environment.gpus: ${environment.gpus}`] : []),
    ...(environment.os === 'windows' ? ['task.toml: environment.os: windows'] : []),
    ...(environment.mcp_servers ?? []).map(({ name }) => `task.toml: environment.mcp_servers: "${name}"`),
    ...verifiers
      .filter(one => one.environment_mode === 'separate' || one.environment != null)
      .map(({ name }) => `task.toml: ${name}: an environment of its own`),
    ...verifiers
      .filter(one => (one.collect ?? []).length > 0)
      .map(({ name }) => `task.toml: ${name}.collect: commands before artifacts are collected`),
  ]
}
