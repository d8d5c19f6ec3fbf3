import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startSimServer } from '../../src/models/sim/server/sim-server.ts'

const assay = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin', 'assay.mjs')
const realKey = 'sk-real-9f8e7d6c5b4a'
const price = [{ above: 0, input: 1, cached_input: 0.1, cache_write: 1.25, output: 10 }]

/** A folder with an experiment of one run: this agent, this task, in bubblewrap. `programs` is where agents are installed. */
export function openExperiment(agent, task, programs) {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-agents-'))
  const experiment = {
    name: 'agents',
    target: { kind: 'task', agent: agent.name, tasks: task.dir, sandbox: 'bubblewrap' },
    params: { model: agent.model },
    models: { [agent.model]: { provider: agent.provider, price } },
    // The provider answers every call, unless a recording is named.
    calls: { cache: false },
  }
  writeFileSync(join(cwd, 'experiment.json'), JSON.stringify(experiment))
  return {
    /** `assay run` with these options, with its own results, and a provider without earlier bills. */
    async run(out, ...options) {
      const rules = [...agent.rules(task), { answer: 'Fine.' }]
      const server = await startSimServer({
        settings: { [agent.model]: { price, rules } },
        port: 0,
        seed: 1,
        keys: [realKey],
      })
      const { key, address } = agent.variables
      try {
        const { events, stderr, seconds } = await start(
          ['run', 'experiment.json', '--json', '--out-root', out, ...options],
          {
            cwd,
            env: {
              PATH: [programs, process.env.PATH].join(delimiter),
              HOME: process.env.HOME,
              [key]: realKey,
              [address]: server.address,
            },
          },
        )
        const ended = events.findLast(({ kind }) => kind === 'attempt_ended')
        const summary = events.findLast(({ kind }) => kind === 'summary') ?? {}
        const metric = name => ended?.metrics.find(one => one.metric === name)?.value ?? null
        return {
          ...{ outcome: ended?.outcome ?? {}, cost: summary.cost_usd, bill: server.bill(), seconds, stderr },
          ...{ score: metric('score'), calls: metric('calls'), runFolder: join(cwd, out, 'agents', 'runs') },
        }
      } finally {
        await server.close()
      }
    },
    /** Files of any run that contain the real key: results, files of boxes, logs, journal, recording. */
    filesWithKey: () => filesBelow(cwd).filter(file => readFileSync(file, 'latin1').includes(realKey)),
    close: () => rmSync(cwd, { recursive: true, force: true }),
  }
}

/** Follows no links, because those of a box lead to programs of this machine. */
export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

function start(args, options) {
  const started = performance.now()
  const child = spawn(process.execPath, [assay, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', text => {
      said[name] += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      const events = said.stdout
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
      resolve({ events, stderr: said.stderr, seconds: (performance.now() - started) / 1000 })
    })
  })
}
