import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import * as z from 'zod'
import { AssayError } from '../../util/errors.ts'
import { withoutAddressSecrets } from '../../util/secrets.ts'
import { didYouMean } from '../../util/suggest.ts'
import { shellQuote } from '../../util/words.ts'

/** The launchers there are; each is a file beside this one. */
export const launcherNames = ['skypilot', 'modal', 'aws-batch', 'kubernetes'] as const

export type LauncherName = (typeof launcherNames)[number]

const words = z.lazy(() => z.array(z.string()))
const value = z.lazy(() => z.union([z.string(), z.number()]))

const launcher = z.lazy(() =>
  z.strictObject({
    program: z.string(),
    /** With their defaults; `required`: there is none. */
    options: z.record(z.string(), value.nullable()),
    /** Written before it starts, by their names. */
    files: z.record(z.string(), z.string()),
    /** The option that says how often it is started; once, without it. */
    each: z.string().exactOptional(),
    start: words,
    /** The key of what starting prints, as JSON, that `{id}` stands for. */
    id: z.string().exactOptional(),
    stop: words,
    status: words.exactOptional(),
    logs: words.exactOptional(),
  }),
)

export type Launcher = z.infer<typeof launcher>

/** How another tool starts workers: a description in YAML, and the values for its blanks. */
export interface Launch {
  readonly launcher: Launcher
  readonly values: { readonly [name: string]: string | number }
}

export interface LaunchOptions {
  readonly name: LauncherName
  /** `key=value`, as the launcher calls them. */
  readonly given: readonly string[]
}

/** What is the same for all launchers. */
export interface LaunchFacts {
  /** Of the cluster, app or job: the same for every call on one experiment. */
  readonly name: string
  readonly folder: string
  readonly queue: string
  /** How assay is started there. */
  readonly assay: string
}

export function readLauncher(name: LauncherName): Launcher {
  // In the bundle they are in a folder beside it.
  const file = [`./launchers/${name}.yaml`, `./${name}.yaml`]
    .map(path => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync)
  return launcher.parse(parse(readFileSync(file ?? '', 'utf8')))
}

export function launchOf({ name, given }: LaunchOptions, facts: LaunchFacts): Launch {
  const found = readLauncher(name)
  const values: Record<string, string | number> = {}
  for (const one of given) {
    const [, key = '', text = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? []
    const known = Object.keys(found.options)
    if (!known.includes(key))
      throw new AssayError('usage', `--launch ${one}: ${name} has no option ${JSON.stringify(key)}`, {
        hint: didYouMean(key, known) ?? `It has ${known.join(', ')}.`,
      })
    values[key] = numberLike(found.options[key], text, `--launch ${one}`)
  }
  for (const [key, usual] of Object.entries(found.options)) {
    if (usual === 'required' && values[key] === undefined)
      throw new AssayError('usage', `--executor ${name} needs --launch ${key}=…`)
    values[key] ??= usual ?? ''
  }
  return { launcher: found, values: { ...values, ...facts, worker: `${facts.assay} worker --json` } }
}

/** Where the default is a number, nothing else is one. */
function numberLike(usual: string | number | null | undefined, text: string, where: string): string | number {
  if (typeof usual !== 'number') return text
  if (/^\d+$/.test(text)) return Number(text)
  throw new AssayError('usage', `${where}: expected a whole number`)
}

/** `{name}`, `{json:name}` for a text in quotes, `{file:name}` for the path of a file of the launcher. */
export function filled(text: string, { values }: Pick<Launch, 'values'>, folder: string): string {
  return text.replace(/\{(json:|file:)?([a-z][\w.]*)\}/g, (blank, kind: string | undefined, name: string) => {
    if (kind === 'file:') return `${folder}/${name}`
    const value = values[name]
    if (value === undefined) return blank
    return kind === 'json:' ? JSON.stringify(value) : String(value)
  })
}

export const commandOf = (words: readonly string[], launch: Launch, folder: string): readonly string[] =>
  words.map(word => filled(word, launch, folder))

/** What is run, and with which files; the password of the queue is left out. */
export function launchPlan(name: string, launch: Launch, folder: string): readonly string[] {
  const { launcher, values } = launch
  const shown = { launcher, values: { ...values, queue: withoutAddressSecrets(String(values.queue)) } }
  const line = (words: readonly string[]) => commandOf(words, shown, folder).map(shellQuote).join(' ')
  const times = launcher.each === undefined ? 1 : Number(values[launcher.each])
  return [
    `${name}: workers are started with${times === 1 ? '' : ` (${times} times)`}`,
    `  ASSAY_QUEUE=${shown.values.queue} ${line(launcher.start)}`,
    ...Object.entries(launcher.files).flatMap(([file, text]) => [
      `where ${folder}/${file} is`,
      ...filled(text, shown, folder)
        .trimEnd()
        .split('\n')
        .map(one => `  ${one}`),
    ]),
    'and ended with',
    `  ${line(launcher.stop)}`,
    ...(launcher.status === undefined ? [] : [`how they stand: ${line(launcher.status)}`]),
    ...(launcher.logs === undefined ? [] : [`what they print: ${line(launcher.logs)}`]),
  ]
}
