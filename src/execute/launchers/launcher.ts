import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import * as z from 'zod'
import { AssayError } from '../../util/errors.ts'
import { withoutAddressSecrets } from '../../util/secrets.ts'
import { didYouMean } from '../../util/suggest.ts'
import { shellQuote } from '../../util/words.ts'

/** The available launchers; each is a file beside this one. */
export const launcherNames = ['skypilot', 'modal', 'aws-batch', 'kubernetes'] as const

export type LauncherName = (typeof launcherNames)[number]

const words = z.lazy(() => z.array(z.string()))
const value = z.lazy(() => z.union([z.string(), z.number()]))

const launcher = z.lazy(() =>
  z.strictObject({
    program: z.string(),
    /** With their defaults; `required`: no default. */
    options: z.record(z.string(), value.nullable()),
    /** Written before the start, by name. */
    files: z.record(z.string(), z.string()),
    /** The option that says how many times the command runs; without it, once. */
    each: z.string().exactOptional(),
    start: words,
    /** The key in the start command's JSON output whose value replaces `{id}`. */
    id: z.string().exactOptional(),
    stop: words,
    status: words.exactOptional(),
    logs: words.exactOptional(),
  }),
)

export type Launcher = z.infer<typeof launcher>

/** How another tool starts workers: a YAML description, and the values for its placeholders. */
export interface Launch {
  readonly launcher: Launcher
  readonly values: { readonly [name: string]: string | number }
}

export interface LaunchOptions {
  readonly name: LauncherName
  /** `key=value`, as the launcher calls them. */
  readonly given: readonly string[]
}

/** The facts that are the same for all launchers. */
export interface LaunchFacts {
  /** Of the cluster, app or job: the same for every call on one experiment. */
  readonly name: string
  readonly folder: string
  readonly queue: string
  /** The command that starts assay there. */
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

/** If the default is a number, the value must be one too. */
function numberLike(usual: string | number | null | undefined, text: string, where: string): string | number {
  if (typeof usual !== 'number') return text
  if (/^\d+$/.test(text)) return Number(text)
  throw new AssayError('usage', `${where}: expected a whole number`)
}

/** `{name}`, `{json:name}` for a quoted text, `{file:name}` for the path of a launcher file. */
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

/** The commands to be run and their files, without the queue's password. */
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
