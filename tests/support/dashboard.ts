import { startAssay } from './assay.ts'

export interface ServedRoot {
  /** `http://127.0.0.1:40123/` */
  readonly address: string
  readonly url: string
  readonly token: string | null
  readonly pid: number
  /** Asks for a path, with these parameters. */
  ask(path: string, params?: Readonly<Record<string, string>>, init?: RequestInit): Promise<Response>
  /** Tells the server to change something, as the page does. */
  tell(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
}

/** The real `assay serve` on a port that is free; gone when the test is over. */
export async function serveRoot(cwd: string, args: readonly string[] = ['results']): Promise<ServedRoot> {
  const started = startAssay(['serve', ...args, '--port', '0', '--json'], { cwd })
  let said = ''
  started.child.stdout?.on('data', chunk => {
    said += chunk
  })
  await started.said('}\n')
  const { address, url, token } = JSON.parse(said)
  return {
    address,
    url,
    token,
    pid: started.child.pid ?? 0,
    ask: (path, params = {}, init = {}) => fetch(`${address}${path.slice(1)}?${new URLSearchParams(params)}`, init),
    tell: (path, body, headers = {}) =>
      fetch(`${address}${path.slice(1)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-assay': '1', ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** Messages of one kind from the server, until the expected one. */
export async function heard<T>(
  { ask }: ServedRoot,
  dir: string,
  event: string,
  isIt: (said: T) => boolean,
): Promise<T> {
  const over = new AbortController()
  const response = await ask('/api/events', dir === '' ? {} : { dir }, { signal: over.signal })
  let rest = ''
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, kind, data] = /^event: (\S+)\ndata: (.*)$/s.exec(block) ?? []
        const said = kind === event && data !== undefined ? (JSON.parse(data) as T) : undefined
        if (said !== undefined && isIt(said)) return said
      }
    }
    throw new Error(`the stream of events ended before ${event} was as expected`)
  } finally {
    over.abort()
  }
}
