import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { KeptWire } from '../../cache/call-store.ts'

type Headers = { readonly [name: string]: string }

/** The agent's end of an exchange: sends at the pace at which it reads. */
export class AgentSide {
  readonly #response: ServerResponse
  readonly #sent: Uint8Array[] | null
  #begun: { readonly status: number; readonly headers: Headers } | null = null

  /** `isKept`: whether the complete text is needed afterwards. */
  constructor(response: ServerResponse, isKept: boolean) {
    this.#response = response
    this.#sent = isKept ? [] : null
    // Told by `close` as well.
    response.on('error', () => {})
  }

  /** The agent has closed the connection before everything was sent. */
  get isGone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished
  }

  onGone(callback: () => void): void {
    if (this.isGone) callback()
    else
      this.#response.once('close', () => {
        if (!this.#response.writableFinished) callback()
      })
  }

  get hasBegun(): boolean {
    return this.#begun !== null
  }

  begin(status: number, headers: Headers): void {
    this.#begun = { status, headers }
    if (this.isGone) return
    this.#response.writeHead(status, headers)
    // With the first bytes, if they come at once; otherwise the agent does not wait for them.
    setImmediate(() => {
      if (!this.isGone) this.#response.flushHeaders()
    })
  }

  /** Resolves when the agent is ready for more. */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    this.#sent?.push(bytes)
    if (this.isGone || this.#response.write(bytes)) return
    const waiting = new AbortController()
    const { signal } = waiting
    await Promise.race([once(this.#response, 'drain', { signal }), once(this.#response, 'close', { signal })]).catch(
      () => undefined,
    )
    waiting.abort()
  }

  end(): void {
    if (!this.isGone) this.#response.end()
  }

  /** The connection ends in the middle, as the provider's did. */
  cut(): void {
    this.#response.destroy()
  }

  send({ status, headers, body }: KeptWire): void {
    if (this.isGone || this.#response.headersSent) return
    this.#response.writeHead(status, headers).end(body)
  }

  /** Everything that was sent; null: it is not text, or was not kept. */
  get wire(): KeptWire | null {
    if (this.#sent === null || this.#begun === null) return null
    const bytes = Buffer.concat(this.#sent)
    return isUtf8(bytes) ? { ...this.#begun, body: bytes.toString('utf8') } : null
  }
}
