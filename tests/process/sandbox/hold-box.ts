import { join } from 'node:path'
import { hostRoot } from '../../../src/process/sandbox/recipe.ts'
import { chooseSandbox } from '../../../src/process/sandbox/sandbox.ts'

// Opens a box, starts programs in it, says so, and waits to be killed.
const [dir = '', token = ''] = process.argv.slice(2)
const sandbox = await chooseSandbox('bubblewrap', process.env)
const box = await sandbox.open({
  token,
  root: hostRoot,
  files: join(dir, 'held'),
  mounts: [],
  env: {},
  workdir: '/app',
  network: 'none',
  ports: [{ port: 8080, socket: join(dir, 'none.sock') }],
  memoryMb: 256,
  pids: 64,
  storageMb: null,
})
const output = { stdoutFile: join(dir, 'out.txt'), stderrFile: join(dir, 'err.txt') }
const options = { timeoutMs: 1e9, graceMs: 1000, outputBytes: 1000, ...output }
await box.exec(['sh', '-c', 'env -i setsid sleep 65432 > /dev/null 2>&1 &'], options)
void box.exec(['sh', '-c', 'trap "" TERM HUP; echo up; while :; do sleep 65432; done'], options)
console.log('up')
