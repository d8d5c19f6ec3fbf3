import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename } from 'node:path'
import { checkFinished, checkMoney, checkRuns, type Told, toldIn } from './checker.ts'
import { maxOutputTokens, startModelServer, usdPerToken } from './model-server.ts'
import { randomFrom } from './random.ts'

/** An experiment with another target than a program or a prompt, which goes through the same faults. */
export interface OtherTarget {
  readonly name: OtherKind
  readonly files: Readonly<Record<string, string>>
  /** After its last call. `isKept`: no process was killed and no answer cut off. */
  check(journalFile: string, isKept: boolean): readonly string[]
  calm(): void
  close(): void
}

export const otherKinds = ['functions', 'agents', 'scenarios'] as const
export type OtherKind = (typeof otherKinds)[number]

export interface Setting {
  readonly seed: number
  readonly history: string
  readonly isMild: boolean
  /** Limits that make assay try again and again. */
  readonly often: string
}

export const startOther = (kind: OtherKind, setting: Setting): Promise<OtherTarget> =>
  ({ functions: startFunctions, agents: startAgents, scenarios: startScenarios })[kind](setting)

const runs = 6

/**
 * A function reports to a witness over a connection, because writes of its process fail. The connection lives as long as
 * the attempt does, and the kernel closes it before anybody can take the process for dead.
 */
async function startFunctions({ often }: Setting): Promise<OtherTarget> {
  const told: Told[] = []
  const living = new Map<string, Socket>()
  let isCalm = false
  const server = createServer(socket => {
    socket.setEncoding('utf8').on('error', () => undefined)
    socket.on('data', line => {
      const [what = '', run = '', token = ''] = String(line).trim().split(' ')
      if (what === 'begun') {
        const before = living.get(run)
        living.set(run, socket)
        // The end of one that was killed may stand behind this in the same round.
        const look = (): void => {
          if (before !== undefined && !before.readableEnded && !before.destroyed)
            told.push({ what: 'overlap', run, token })
          told.push(...toldIn(`begun ${run} ${token}`))
          socket.write(isCalm ? 'calm' : 'wait')
        }
        setImmediate(() => setImmediate(look))
      } else {
        told.push(...toldIn(`${what} ${run} ${token}`))
        living.delete(run)
        socket.end('yes')
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    name: 'functions',
    files: {
      'function.mjs': `import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as passed } from 'node:timers/promises'

const failed = new Set()

export default async function ({ n }) {
  const token = process.env.ASSAY_ATTEMPT
  const socket = connect(${port}, '127.0.0.1').setEncoding('utf8')
  const tell = async what => {
    socket.write(\`\${what} \${n} \${token}\\n\`)
    return (await once(socket, 'data'))[0]
  }
  const mood = await tell('begun')
  await passed(mood === 'calm' ? 10 : [50, 300, 1500][n % 3])
  if (n % 2 === 0 && !failed.has(n)) {
    failed.add(n)
    await tell('failing')
    throw new Error('once')
  }
  await tell('over')
  return { answer: 42 }
}
`,
      'functions.yaml': `name: functions
target: { kind: function, module: function.mjs }
factors: { n: 1..${runs} }
limits: { jobs: 2, timeout: 30s, grace: 200ms, ${often} }
`,
    },
    check: (journalFile, isKept) => checkRuns(journalFile, told, { runs, areAttemptsKept: isKept }),
    calm() {
      isCalm = true
    },
    close() {
      server.close()
      for (const socket of living.values()) socket.destroy()
    },
  }
}

/** The model tells an agent to run a program that logs its events, and then to submit. */
async function startAgents(setting: Setting): Promise<OtherTarget> {
  const { history, often } = setting
  const told = `${history}.agents`
  const server = await modelsOf(setting, 'block.task', (asked, n) =>
    turnOf(asked) === 0 ? `\`\`\`bash\n${told}.sh tasks/${n}\n\`\`\`` : '```submit\n```',
  )
  const tasks = Array.from({ length: runs }, (_, index) => [
    `tasks/${index + 1}/instruction.md`,
    `Question ${index + 1}\n`,
  ])
  return {
    name: 'agents',
    files: {
      ...Object.fromEntries(tasks),
      [`${basename(told)}.sh`]: `#!/bin/sh
unset LD_PRELOAD
number=\${1#tasks/}
exec 9>>"${told}.lock-$number"
if ! flock -n 9; then echo "overlap $1 $ASSAY_ATTEMPT" >> ${told}; fi
echo "begun $1 $ASSAY_ATTEMPT" >> ${told}
sleep 0.$number
echo $number > answer.txt
echo "over $1 $ASSAY_ATTEMPT" >> ${told}
`,
      'agents.yaml': `name: agents
target: { kind: agent, tasks: tasks/*, sandbox: process, max_output_tokens: ${maxOutputTokens} }
params: { model: m }
${server.yaml}
limits: { jobs: 2, timeout: 60s, grace: 200ms, budget_usd: ${server.budgetUsd}, ${often} }
`,
    },
    check: (journalFile, isKept) => [
      ...checkRuns(journalFile, toldIn(existsSync(told) ? readFileSync(told, 'utf8') : ''), {
        runs,
        areAttemptsKept: isKept,
        key: 'block.task',
      }),
      ...server.check(journalFile, isKept),
    ],
    calm: server.calm,
    close: server.close,
  }
}

/** Two actors and a narrator, turn by turn. Only the server knows of them outside of assay. */
async function startScenarios(setting: Setting): Promise<OtherTarget> {
  // The state keeps the number, so that later turns ask with it too.
  const answerTo = (_: string, n: string): string =>
    `**ACTION:** waits\n\n**UPDATED WORLD STATE:** Question ${n} is open.`
  const server = await modelsOf(setting, 'params.initial_world_state', answerTo)
  const actor = (name: string): string => `name: ${name}\nshort_name: ${name}\nllm_model: m\ngoals: [Wait]\n`
  return {
    name: 'scenarios',
    files: {
      'scenario/scenario.yaml':
        'name: Waiting\ninitial_world_state: none\nturns: 2\nworld_state_model: m\nactors: [one, two]\nenable_bilateral_communication: false\n',
      'scenario/actors/one.yaml': actor('one'),
      'scenario/actors/two.yaml': actor('two'),
      'scenarios.yaml': `name: scenarios
target: { kind: scenario, scenario: scenario }
factors: { initial_world_state: [${Array.from({ length: runs }, (_, n) => `Question ${n + 1}`).join(', ')}] }
${server.yaml}
limits: { jobs: 2, timeout: 60s, budget_usd: ${server.budgetUsd}, ${setting.often} }
`,
    },
    check: (journalFile, isKept) => [...checkFinished(journalFile, runs), ...server.check(journalFile, isKept)],
    calm: server.calm,
    close: server.close,
  }
}

/** A separate server, whose book is compared with the journal. */
async function modelsOf({ seed, isMild }: Setting, run: string, answerTo: (asked: string, n: string) => string) {
  const faults = { cuts: !isMild, overbills: !isMild }
  const server = await startModelServer(randomFrom(seed + 2), faults, {
    answerTo: asked => answerTo(asked, numberIn(asked)),
    // The same question comes in several turns, with all that was said before.
    questionOf: asked =>
      `${numberIn(asked)} (${createHash('sha1').update(messagesIn(asked)).digest('hex').slice(0, 8)})`,
  })
  const budgetUsd = 100_000 * usdPerToken * maxOutputTokens
  const price = usdPerToken * 1e6
  return {
    budgetUsd,
    yaml: `models: { m: { provider: openai-compatible, address: "${server.address}", timeout: ${isMild ? 3 : 2}s, tools: false, structured: false, stream: false, max_output: ${maxOutputTokens}, price: { input: ${price}, output: ${price} } } }`,
    check: (journalFile: string, isKept: boolean) =>
      checkMoney(journalFile, {
        ...{ requests: server.requests, run, budgetUsd, overbills: !isMild, areAnswersKept: isKept, rate: null },
      }),
    calm() {
      server.isCalm = true
    },
    close: () => server.close(),
  }
}

const numberIn = (asked: string): string => /Question (\d+)/.exec(asked)?.[1] ?? '?'

const messagesIn = (asked: string): string => JSON.stringify((JSON.parse(asked) as { messages: unknown }).messages)

/** How often the model has answered before. */
const turnOf = (asked: string): number => asked.split('"role":"assistant"').length - 1
