// The floor: Node starts /bin/true n times, k at a time, each with its own folder and two output files. No journal.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'

const [, , folder, count, lanes] = process.argv
mkdirSync(folder, { recursive: true })
let next = 0
await Promise.all(Array.from({ length: Number(lanes) }, lane))

async function lane() {
  while (next < Number(count)) {
    const dir = `${folder}/${next++}`
    mkdirSync(dir)
    const stdout = openSync(`${dir}/stdout.txt`, 'w')
    const stderr = openSync(`${dir}/stderr.txt`, 'w')
    await new Promise(resolve => {
      spawn('/bin/true', [], { stdio: ['ignore', stdout, stderr], detached: true }).once('exit', resolve)
    })
    closeSync(stdout)
    closeSync(stderr)
  }
}
