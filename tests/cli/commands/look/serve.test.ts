import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { assay, complaint, folderWith, startAssay } from '../../../support/assay.ts'
import { serveRoot } from '../../../support/dashboard.ts'

it('prints its address, and ends with Ctrl-C although a client is connected', async () => {
  const cwd = folderWith({ 'results/.keep': '' })
  const started = startAssay(['serve', '--port', '0'], { cwd })
  let said = ''
  started.child.stdout?.on('data', chunk => {
    said += chunk
  })
  await started.said('experiments under results\n')
  const [, address = ''] =
    /^dashboard, until Ctrl-C, at\n {2}(http:\/\/127\.0\.0\.1:\d+\/)\n {2}0 experiments under results\n$/.exec(said) ??
    []
  const listening = await fetch(`${address}api/events`)
  const closed = listening.text().catch(() => 'cut off')
  started.child.kill('SIGINT')
  expect(await started.ended).toMatchObject({ status: 0, stderr: '' })
  await closed
})

it('uses the next free port if the default one is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const cwd = folderWith({})
  const started = startAssay(['serve', '.', '--port', String(port)], { cwd })
  let said = ''
  started.child.stdout?.on('data', chunk => {
    said += chunk
  })
  await started.said('experiments under')
  const chosen = Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1])
  expect(chosen).toBeGreaterThan(port)
  expect(chosen).toBeLessThanOrEqual(port + 20)
})

it('warns that anyone with the address has access, if open to other machines', async () => {
  const cwd = folderWith({})
  const started = startAssay(['serve', '.', '--port', '0', '--host', '0.0.0.0', '--open'], { cwd })
  await started.said('anyone with this address')
  await started.said('?token=')
  started.child.kill('SIGTERM')
  expect(complaint(await started.ended, { cwd })).toContain('--open: open the address yourself')
})

it.each([
  [['serve', 'nowhere'], 'nowhere does not exist'],
  [['serve', 'file.txt'], 'file.txt is not a folder'],
  [['serve', '--port', '70000'], '--port: expected at most 65535'],
  [['serve', '--host', '203.0.113.7', '--port', '0'], "can't listen on 203.0.113.7"],
])('%j ends with 2 and says why', async (args, why) => {
  const cwd = folderWith({ 'file.txt': '' })
  const ended = await assay(args, { cwd })
  expect(ended.status).toBe(2)
  expect(complaint(ended, { cwd })).toContain(why)
})

it('accepts an experiment as root', async () => {
  const cwd = folderWith({
    'work.mjs': 'export default ({ x }) => ({ score: x })\n',
    'e.yaml': 'name: e\ntarget: { kind: function, module: work.mjs }\nfactors: { x: [1, 2] }\n',
  })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  const { ask } = await serveRoot(cwd, ['results/e'])
  expect(await (await ask('/api/experiments')).json()).toMatchObject([{ id: '.', name: 'e', state: 'complete' }])
  expect((await ask('/api/progress', { dir: '.' })).status).toBe(200)
})
