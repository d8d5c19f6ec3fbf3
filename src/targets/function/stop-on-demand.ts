/** An AbortSignal that is created on first use: most functions never need it, and creating one takes a while. */
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
