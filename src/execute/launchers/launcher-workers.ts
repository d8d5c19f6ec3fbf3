import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { messageOf, systemCode } from '../../util/errors.ts'
import { shellQuote } from '../../util/words.ts'
import type { Workers } from '../with-workers.ts'
import { commandOf, filled, type Launch } from './launcher.ts'

/**
 * In the launcher's folder: how to end the workers that were started, for the next coordinator if this one is killed.
 */
const startedFile = 'started.json'

/** Workers that a launcher starts and ends, each with a command line. */
export class LauncherWorkers implements Workers {
  readonly #launch: Launch
  readonly #folder: string
  readonly #ids: Set<string>
  #started: Promise<unknown> = Promise.resolve()

  /** `folder`: for the launcher's files; readable by this user only, since they may contain the queue's address. */
  constructor(launch: Launch, folder: string) {
    this.#launch = launch
    this.#folder = folder
    this.#ids = new Set(idsIn(join(folder, startedFile)))
  }

  start(tell: (message: string) => void): void {
    const { launcher, values } = this.#launch
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const [name, text] of Object.entries(launcher.files))
      writeFileSync(join(this.#folder, name), filled(text, this.#launch, this.#folder), { mode: 0o600 })
    const times = launcher.each === undefined ? 1 : Number(values[launcher.each])
    this.#started = Promise.all(Array.from({ length: times }, () => this.#startOne(tell)))
  }

  /** Ends the started workers; if that fails, tells the user how to do it, since they may cost money. */
  async stop(tell: (message: string) => void): Promise<void> {
    await this.#started
    for (const id of this.#ids) {
      const command = this.#command(this.#launch.launcher.stop, id)
      await this.#call(command).catch(error =>
        tell(`workers may still be running: ${words(command)} failed (${messageOf(error)})`),
      )
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #startOne(tell: (message: string) => void): Promise<void> {
    const { start, id } = this.#launch.launcher
    const command = this.#command(start, '')
    // It may have been half done when it failed, or when this process was killed.
    if (id === undefined) this.#isStarted(nameless)
    try {
      const output = await this.#call(command)
      if (id !== undefined) this.#isStarted(String(JSON.parse(output)[id]))
    } catch (error) {
      tell(`no workers were started: ${words(command)} failed (${messageOf(error)})`)
    }
  }

  #isStarted(id: string): void {
    this.#ids.add(id)
    writeFileSync(join(this.#folder, startedFile), JSON.stringify([...this.#ids]), { mode: 0o600 })
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

/** Stands for workers that are ended together, by the experiment's name. */
const nameless = ''

function idsIn(file: string): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
