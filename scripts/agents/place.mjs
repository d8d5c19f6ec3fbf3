import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const longestMs = 300_000

/**
 * Where an agent works: a folder with the task, and a home of its own. It runs as a plain process that finds the proxy on a
 * port of this machine; a box of `src/process/sandbox` takes the place of `run` and leads the same port to the proxy's socket.
 */
export function openPlace() {
  const root = mkdtempSync(join(tmpdir(), 'assay-agents-'))
  const dir = join(root, 'task')
  const home = join(root, 'home')
  return {
    dir,
    home,
    /** The task as it was at first. The same paths each time: a recording has them in its prompts. */
    reset() {
      for (const folder of [dir, home]) {
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(folder, { recursive: true })
      }
      writeFileSync(join(dir, 'sum.js'), 'exports.sum = (a, b) => a - b\n')
      writeFileSync(
        join(dir, 'test.js'),
        "if (require('./sum.js').sum(2, 3) !== 5) throw new Error('2 + 3 is not 5')\nconsole.log('passed')\n",
      )
    },
    run: (argv, env) => run(argv, dir, { PATH: process.env.PATH, HOME: home, ...env }),
    /** Everything that the agent could have read or has written, as one text. */
    everything() {
      const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      return files.map(file => readFileSync(join(file.parentPath, file.name), 'latin1')).join('\n')
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** How it ended, and all that it said. */
function run([program, ...args], cwd, env) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Its group is gone already.
    }
  }
  const timer = setTimeout(end, longestMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      end()
      resolve({ code, output })
    })
  })
}
