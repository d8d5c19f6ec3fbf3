import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, systemCode } from '../../util/errors.ts'
import { shellQuote } from '../../util/words.ts'
import type { Workers } from '../with-workers.ts'
import { commandOf, filled, type Launch } from './launcher.ts'

/** Workers that a launcher starts and ends, each by a command line. */
export class LauncherWorkers implements Workers {
  readonly startMachines = true
  readonly #launch: Launch
  readonly #folder: string
  #started: Promise<readonly string[]> = Promise.resolve([])
  #tell: (message: string) => void = () => undefined

  /** `folder`: for the launcher's files; only this user may read them, since they may have the address of the queue. */
  constructor(launch: Launch, folder: string) {
    this.#launch = launch
    this.#folder = folder
  }

  start(tell: (message: string) => void): void {
    this.#tell = tell
    const { launcher, values } = this.#launch
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const [name, text] of Object.entries(launcher.files))
      writeFileSync(join(this.#folder, name), filled(text, this.#launch, this.#folder), { mode: 0o600 })
    const times = launcher.each === undefined ? 1 : Number(values[launcher.each])
    this.#started = Promise.all(Array.from({ length: times }, () => this.#startOne())).then(ids => ids.flat())
  }

  /** Ends what was started; where that fails, people are told how, since it may cost money. */
  async stop(): Promise<void> {
    for (const id of await this.#started) {
      const command = this.#command(this.#launch.launcher.stop, id)
      await this.#call(command).catch(error =>
        this.#tell(`workers may still be running: ${words(command)} failed (${messageOf(error)})`),
      )
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** What ends it: an id, or nothing that needs one; none, if it did not start. */
  async #startOne(): Promise<readonly string[]> {
    const { start, id } = this.#launch.launcher
    const command = this.#command(start, '')
    try {
      const said = await this.#call(command)
      return [id === undefined ? '' : String(JSON.parse(said)[id])]
    } catch (error) {
      this.#tell(`no workers were started: ${words(command)} failed (${messageOf(error)})`)
      // Half of it may have been done.
      return id === undefined ? [''] : []
    }
  }

  #command(template: readonly string[], id: string): readonly string[] {
    return commandOf(template, { ...this.#launch, values: { ...this.#launch.values, id } }, this.#folder)
  }

  #call([program = '', ...args]: readonly string[]): Promise<string> {
    const env = { ...process.env, ASSAY_QUEUE: String(this.#launch.values.queue) }
    return new Promise((resolve, reject) => {
      execFile(program, args, { env, encoding: 'utf8', maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else if (systemCode(error) === 'ENOENT') reject(new Error(`there is no ${program} in PATH`))
        else reject(new Error(stderr.trim().split('\n').at(-1) || error.message))
      })
    })
  }
}

const words = (command: readonly string[]): string => command.map(shellQuote).join(' ')
