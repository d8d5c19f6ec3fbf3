import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Request } from './checker.ts'

export const usdPerToken = 0.001
export const maxOutputTokens = 200

export interface ServerFaults {
  /** It cuts answers off after billing them. */
  readonly cuts: boolean
  /** It bills more than was asked for now and then. */
  readonly overbills: boolean
}

export interface Behaviour {
  /** The answer to a request, and the id of its question in the server's book. */
  readonly answerTo: (asked: string) => string
  readonly questionOf: (asked: string) => string
}

const short: Behaviour = {
  answerTo: () => 'ok',
  questionOf: asked => /Question (\d+)/.exec(asked)?.[1] ?? '?',
}

/** A provider of models that keeps its own book. It answers late, rate-limits, and injects `faults`. */
export async function startModelServer(
  random: () => number,
  { cuts, overbills }: ServerFaults,
  { answerTo, questionOf }: Behaviour = short,
): Promise<{
  readonly address: string
  readonly requests: readonly Request[]
  isCalm: boolean
  close(): void
}> {
  const requests: Request[] = []
  const state = { isCalm: false }
  const server = createServer((request, response) => {
    let asked = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      asked += chunk
    })
    request.on('end', () => {
      const question = questionOf(asked)
      const chance = state.isCalm ? 1 : random()
      const at = performance.now()
      if (chance < 0.14) requests.push({ at, question, billedUsd: 0 })
      if (chance < 0.08) return refuse(response, 429, { 'retry-after-ms': String(Math.round(random() * 300)) })
      if (chance < 0.14) return refuse(response, 500)
      const input = 5 + Math.floor(random() * 10)
      const output = overbills && chance < 0.2 ? maxOutputTokens * 2 : Math.ceil(maxOutputTokens * (0.5 + random() / 2))
      const excessUsd = Math.max(0, output - maxOutputTokens) * usdPerToken
      requests.push({ at, question, billedUsd: (input + output) * usdPerToken, excessUsd })
      const text = answer(answerTo(asked), input, output)
      const isCut = cuts && chance > 0.2 && chance < 0.3
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        if (isCut) response.write(text.slice(0, 20), () => response.destroy())
        else response.end(text)
      }, random() * 400)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/v1`,
    requests,
    get isCalm() {
      return state.isCalm
    },
    set isCalm(isCalm) {
      state.isCalm = isCalm
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}')

const answer = (content: string, input: number, output: number): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  })
