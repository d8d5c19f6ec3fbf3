/** An AbortSignal that is made when it is first asked for: most functions never do, and making one takes a while. */
export class StopOnDemand {
  #controller: AbortController | null = null
  #reason: Error | null = null

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason !== null) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  stop(message: string): void {
    this.#reason ??= new Error(message)
    this.#controller?.abort(this.#reason)
  }
}
