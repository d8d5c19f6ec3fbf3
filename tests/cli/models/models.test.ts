import { expect, test } from 'vitest'
import { startSim } from '../../models/support.ts'
import { assay, complaint, folderWith, startAssay } from '../../support/assay.ts'

const noKeys = {
  OPENAI_API_KEY: '',
  ANTHROPIC_API_KEY: '',
  OPENROUTER_API_KEY: '',
  DEEPSEEK_API_KEY: '',
  ZHIPUAI_API_KEY: '',
  MOONSHOT_API_KEY: '',
  MINIMAX_API_KEY: '',
  GEMINI_API_KEY: '',
  AWS_PROFILE: '',
  AWS_ACCESS_KEY_ID: '',
  AWS_BEARER_TOKEN_BEDROCK: '',
}
const planted = 'sk-planted-0123456789abcdef'

interface Listed {
  readonly models: readonly { readonly name: string; readonly [key: string]: unknown }[]
  readonly providers: readonly { readonly name: string; readonly is_set_up: boolean }[]
}

const parsed = ({ stdout }: { stdout: string }): Listed => JSON.parse(stdout)

test('list shows presets with their prices, and which keys are set, but never a key', async () => {
  const cwd = folderWith({ '.env': `DEEPSEEK_API_KEY=${planted}\n` })
  const ended = await assay(['models', 'list', '--json'], { cwd, env: { ...noKeys, DEEPSEEK_API_KEY: planted } })
  expect(ended.status).toBe(0)
  const { models, providers } = parsed(ended)
  expect(models.find(({ name }) => name === 'gpt-4o-mini')).toMatchObject({
    provider: 'openai',
    key: 'OPENAI_API_KEY',
    has_access: false,
    price: { input: 0.15, output: 0.6 },
    context: 128_000,
  })
  expect(models.find(({ name }) => name === 'sim/echo')).toMatchObject({
    is_simulated: true,
    has_access: true,
    price: 'free',
  })
  expect(providers.filter(({ is_set_up }) => is_set_up).map(({ name }) => name)).toContain('deepseek')
  const people = await assay(['models', 'list'], { cwd, env: { ...noKeys, DEEPSEEK_API_KEY: planted } })
  expect(people.stdout).toMatch(/deepseek-chat +DeepSeek +set/)
  expect(people.stdout).toContain('set OPENAI_API_KEY')
  expect(`${ended.stdout}${people.stdout}`).not.toContain(planted)
})

test('a key in .env counts', async () => {
  const cwd = folderWith({ '.env': `MY_ONLY_KEY=${planted}\n` })
  const config = folderWith({
    'experiment.yaml': `
name: keyed
target: { kind: command, command: [echo, '{model}'] }
factors: { model: [mine] }
models: { mine: { provider: openai, key: MY_ONLY_KEY } }
`,
  })
  const ended = await assay(['models', 'check', '-n', `${config}/experiment.yaml`, '--json'], { cwd, env: noKeys })
  expect(ended.status).toBe(0)
  expect(parsed(ended).models).toMatchObject([{ name: 'mine', key: 'MY_ONLY_KEY', has_access: true, is_usable: true }])
})

test('check calls the models of an experiment, and reports why one does not answer', async () => {
  const address = await startSim({
    'sim/good': { rules: [{ answer: 'ok' }] },
    'sim/bad': { failures: { server_error: 1 } },
  })
  const cwd = folderWith({
    'experiment.yaml': `
name: routes
target: { kind: command, command: [echo, '{model}'] }
factors: { model: [near, far, broken, gpt-4o-mini, gtp-4o] }
models:
  near: { like: sim/echo }
  far: { provider: openai-compatible, model: sim/good, address: '${address}', price: free }
  broken: { provider: openai-compatible, model: sim/bad, address: '${address}' }
`,
  })
  const ended = await assay(['models', 'check', '--json'], { cwd, env: noKeys })
  expect(ended.status).toBe(1)
  expect(parsed(ended).models).toMatchObject([
    { name: 'near', is_usable: true, is_reachable: true },
    { name: 'far', is_usable: true, is_reachable: true, answered_as: 'sim/good', cost_usd: 0 },
    { name: 'broken', is_usable: false, is_reachable: true, price: null, error: { fault: 'server_error' } },
    { name: 'gpt-4o-mini', is_usable: false, is_reachable: null, error: { fault: 'missing_key' } },
    { name: 'gtp-4o', is_usable: false, error: { fault: 'unknown_model', hint: 'did you mean "gpt-4o"?' } },
  ])
  const people = await assay(['models', 'check'], { cwd, env: noKeys })
  expect(people.stdout).toMatch(/far +http:\S+ +sim\/good +none needed +free +free/)
  expect(people.stdout).toContain('✗ gpt-4o-mini: OPENAI_API_KEY is not set')
  expect(people.stdout).toContain('did you mean "gpt-4o"?')
})

test('a dry run shows how names resolve, without calls', async () => {
  const cwd = folderWith()
  const ended = await assay(['models', 'check', 'openai/gpt-4o-mini', '-n', '--json'], {
    cwd,
    env: { ...noKeys, OPENROUTER_API_KEY: planted, OPENROUTER_BASE_URL: 'http://127.0.0.1:1/api/v1' },
  })
  expect(ended.status).toBe(0)
  expect(parsed(ended).models).toMatchObject([
    { name: 'openai/gpt-4o-mini', provider: 'openrouter', is_usable: true, is_reachable: null },
  ])
  expect(ended.stdout).not.toContain(planted)
})

test('without models and configuration, it says what to give', async () => {
  const cwd = folderWith()
  const ended = await assay(['models', 'check'], { cwd, env: noKeys })
  expect(ended.status).toBe(2)
  expect(complaint(ended, { cwd })).toBe(
    'error: no model is named, and no provider is set up\nname models or a configuration file; assay models list shows which keys to set',
  )
})

test('serve-sim serves until it is interrupted, and explains its use', async () => {
  const cwd = folderWith({
    'models.yaml': 'sim/clerk: { rules: [ { answer: "at your service" } ] }\n',
    'experiment.yaml': `
name: served
target: { kind: command, command: [echo] }
models: models.yaml
`,
  })
  const server = startAssay(['models', 'serve-sim', '--port', '0'], { cwd, env: noKeys })
  await server.said('/sim/bill')
  server.child.kill('SIGINT')
  const { status, stdout } = await server.ended
  expect(status).toBe(0)
  expect(stdout).toMatch(/export OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1\n/)
  expect(stdout).toMatch(/export ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+\n/)
  expect(stdout).toContain('sim/clerk')
})

test('a program can call the served models over HTTP', async () => {
  const cwd = folderWith()
  const server = startAssay(['models', 'serve-sim', '--port', '0', '--json'], { cwd, env: noKeys })
  let printed = ''
  server.child.stdout?.on('data', chunk => {
    printed += chunk
  })
  await server.said('}\n')
  const { address } = JSON.parse(printed)
  const response = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer any' },
    body: JSON.stringify({ model: 'sim/echo', messages: [{ role: 'user', content: 'over the wire' }] }),
  })
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'over the wire' } }] })
  const keyless = await fetch(`${address}/chat/completions`, { method: 'POST', body: '{}' })
  expect(keyless.status).toBe(401)
  server.child.kill('SIGINT')
  expect((await server.ended).status).toBe(0)
})

test('a port in use is reported', async () => {
  const address = await startSim({})
  const port = new URL(address).port
  const cwd = folderWith()
  const ended = await assay(['models', 'serve-sim', '--port', port], { cwd, env: noKeys })
  expect(ended.status).toBe(2)
  expect(complaint(ended, { cwd })).toContain(`port ${port} is taken`)
})
