import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { freePort } from './queue-servers.ts'

/** A real Slurm on this host, with its own nodes and folder. */
export interface TestCluster {
  /** For assay and for Slurm's programs. */
  readonly env: { readonly SLURM_CONF: string }
  /** Ends a node as if its plug was pulled: daemon, steps, and everything they run. */
  killNode(name: string): void
  startNode(name: string): Promise<void>
  /** The output of Slurm's programs. */
  say(program: string, ...args: string[]): string
  stop(): Promise<void>
}

const programs = { munged: '/usr/sbin/munged', slurmctld: '/usr/sbin/slurmctld', slurmd: '/usr/sbin/slurmd' }

/** Why there is none; null: it can be started. */
export function noSlurm(): string | null {
  const missing = Object.entries(programs).find(([, file]) => !existsSync(file))
  if (missing !== undefined) return `${missing[0]} is not installed`
  return process.getuid?.() === 0 ? null : 'Slurm is started by root only'
}

export async function startSlurm(settings: readonly string[] = []): Promise<TestCluster> {
  const folder = mkdtempSync('/tmp/assay-slurm-')
  // munge trusts no folder that others can write to.
  chmodSync(folder, 0o755)
  const host = hostname().split('.')[0] ?? 'localhost'
  const nodes = ['n1', 'n2']
  const [controller, ...ports] = await Promise.all([freePort(), ...nodes.map(() => freePort())])
  for (const name of ['state', ...nodes.map(node => `spool-${node}`)]) mkdirSync(join(folder, name))
  const conf = join(folder, 'slurm.conf')
  writeFileSync(join(folder, 'munge.key'), randomBytes(1024), { mode: 0o400 })
  writeFileSync(
    conf,
    `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${folder}/munge.socket
SlurmUser=root
SlurmdUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd-%n.pid
SlurmdSpoolDir=${folder}/spool-%n
StateSaveLocation=${folder}/state
SlurmdTimeout=5
KillWait=2
MinJobAge=300
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
${nodes.map((node, at) => `NodeName=${node} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[at]} CPUs=2 RealMemory=1000`).join('\n')}
PartitionName=main Nodes=${nodes.join(',')} Default=YES MaxTime=INFINITE State=UP OverTimeLimit=0
${settings.join('\n')}
`,
  )
  const env = { SLURM_CONF: conf }
  const daemons = new Map<string, ChildProcess>()
  const start = (name: string, program: string, args: readonly string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    daemons.set(name, spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] }))
  }
  const say = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const isIdle = (node: string) => () => {
    try {
      return say('sinfo', '-h', '-N', '-n', node, '-o', '%T').trim() === 'idle'
    } catch {
      return false
    }
  }
  const munge = [
    'key-file=munge.key',
    'socket=munge.socket',
    'pid-file=munge.pid',
    'log-file=munge.log',
    'seed-file=seed',
  ]
  start('munged', programs.munged, [
    ...['--foreground', '--force', '--num-threads', '2'],
    ...munge.map(setting => `--${setting.replace('=', `=${folder}/`)}`),
  ])
  await until(() => existsSync(join(folder, 'munge.socket')), 'munged')
  start('slurmctld', programs.slurmctld, ['-D', '-f', conf])
  const startNode = async (node: string) => {
    start(node, programs.slurmd, ['-D', '-f', conf, '-N', node])
    await until(isIdle(node), node)
  }
  await Promise.all(nodes.map(startNode))
  const killNode = (node: string) => {
    daemons.get(node)?.kill('SIGKILL')
    for (const pid of processesWith(`SLURM_CONF=${conf}`, `SLURMD_NODENAME=${node}`)) {
      const step = parentOf(pid)
      for (const one of [...(step !== null && nameOf(step).startsWith('slurmstepd') ? [step] : []), pid]) kill(one)
    }
  }
  return {
    env,
    say,
    killNode,
    startNode,
    async stop() {
      for (const node of nodes) killNode(node)
      await Promise.all(
        [...daemons.values()].map(async child => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
        }),
      )
      for (const pid of processesWith(`SLURM_CONF=${conf}`)) kill(pid)
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 120_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`${what} did not start`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const processesWith = (...settings: readonly string[]): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter(pid => {
      const environment = textOf(`/proc/${pid}/environ`).split('\0')
      return settings.every(setting => environment.includes(setting))
    })

function parentOf(pid: number): number | null {
  const parent = Number(/^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
  return parent > 1 ? parent : null
}

const nameOf = (pid: number): string => textOf(`/proc/${pid}/comm`)

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
