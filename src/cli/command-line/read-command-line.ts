import { type Command, CommanderError } from 'commander'
import { AssayError } from '../../util/errors.ts'
import { longFlag } from '../../util/words.ts'
import { commands as allCommands } from '../commands.ts'
import type { Io } from '../io.ts'
import { type OptionName, type Options, optionSpec } from '../options.ts'
import type { CommandSpec } from '../tables/commands/command.ts'
import { type OptionSpec, oneOf } from '../tables/options/option.ts'
import { optionsOf } from '../tables/options/options-of.ts'
import { buildProgram, type Texts } from './program.ts'
import { readTokens, type Token } from './read-tokens.ts'

/** What a command line asks for: a text such as help, or a command with its arguments. */
export type Call =
  | { readonly kind: 'print'; readonly text: string }
  | {
      readonly kind: 'command'
      readonly command: CommandSpec
      readonly args: readonly string[]
      readonly options: Options
    }

export function readCommandLine(io: Pick<Io, 'argv' | 'env' | 'stdout'>, commands = allCommands): Call {
  let printed = ''
  let call: Call | undefined
  // A line without a command is a line of `run`.
  const program = buildProgram(commands, new Set([...io.argv, 'run']), (command, args, texts) => {
    refuseOtherWords(command, args)
    call = { kind: 'command', command, args, options: readOptions(command, texts, io.env) }
  })
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({
      writeOut: text => {
        printed += text
      },
      // Errors are also thrown: they are shown once, where all errors are shown.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(io.stdout.columns, 110),
      getOutHasColors: () => false,
    })
  const words = withoutHelp(wordsWithCommand(readTokens(io.argv, ownOptionsOf(io.argv, commands)), program), program)
  try {
    program.parse(words.length === 0 ? ['--help'] : words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw asUsageError(error, words)
  }
  return call ?? { kind: 'print', text: printed }
}

/** Options without a command belong to `run`: Cascade's sweep runner only has options, such as `--jobs 2 --resume`. */
function wordsWithCommand(tokens: readonly Token[], program: Command): readonly string[] {
  const words = tokens.flatMap(token => token.words)
  const known = knownCommands(program)
  const hasCommand = tokens.some(({ option, words: [word = ''] }) => option === null && known.has(word))
  const isRun = words[0]?.startsWith('-') && !hasCommand && !ownOptions.includes(words[0])
  return isRun ? ['run', ...words] : words
}

/** The options of the command that a line names; those of `run` if it names none. */
function ownOptionsOf(argv: readonly string[], commands: readonly CommandSpec[]): readonly OptionName[] {
  const named = (word: string) => commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word))
  const words = readTokens(argv).flatMap(({ option, words: [word = ''] }) => (option === null ? [word] : []))
  const command = words.map(named).find(found => found !== undefined) ?? named('run')
  return command === undefined ? [] : optionsOf(command)
}

/** Help for an unknown command is refused like the unknown command: commander would show all of its help as an error. */
function withoutHelp(words: readonly string[], program: Command): readonly string[] {
  const [first, about] = words
  if (first !== 'help' || about === undefined) return words
  if (about === 'help') return ['--help']
  return about.startsWith('-') || knownCommands(program).has(about) ? words : [about]
}

const knownCommands = (program: Command): ReadonlySet<string> =>
  new Set(program.commands.flatMap(command => [command.name(), ...command.aliases(), 'help']))

/** Options that `assay` answers itself, without a command. */
const ownOptions: readonly string[] = ['-h', '--help', '-V', '--version']

/** Refuses other words if only certain ones are allowed. */
function refuseOtherWords({ name, arguments: places }: CommandSpec, args: readonly string[]): void {
  for (const [index, { choices }] of places.entries()) {
    const word = args[index]
    if (choices !== undefined && word !== undefined) naming(name, () => oneOf(choices, word))
  }
}

function readOptions(command: CommandSpec, texts: Texts, env: Io['env']): Options {
  const read = optionsOf(command).flatMap(name => {
    const spec = optionSpec(name)
    const fromEnv = spec.env === undefined ? undefined : env[spec.env]
    const given = texts[name] ?? (fromEnv === undefined || fromEnv === '' ? undefined : [fromEnv])
    if (given === undefined) return []
    const where = texts[name] === undefined ? `${spec.env}` : longFlag(name)
    return [[name, naming(where, () => readOption(spec, command.own?.[name]?.choices, given))] as const]
  })
  // Each value was made by the `read` of its own row, as the type says; fromEntries loses that.
  return Object.fromEntries(read) as Options
}

/** Values that only other commands accept are refused by the command itself: it knows which command is meant. */
function readOption(spec: OptionSpec, own: readonly string[] | undefined, given: readonly string[]): unknown {
  const { choices } = spec
  // An option without a closed list parses its values itself.
  const unknown = own === undefined || choices === undefined ? undefined : given.find(text => !choices.includes(text))
  return unknown === undefined ? spec.read(given) : oneOf(own ?? [], unknown)
}

function naming<T>(where: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof AssayError) throw new AssayError(error.code, `${where}: ${error.message}`)
    throw error
  }
}

/** Commander's message, with its suggestion as the hint. */
function asUsageError(error: CommanderError, words: readonly string[]): AssayError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const command = words.find(word => !word.startsWith('-'))
  const isCommand = error.code !== 'commander.unknownCommand' && command !== undefined && command !== 'help'
  const help = `assay ${isCommand ? `${command} ` : ''}--help shows what there is.`
  const isFile = error.code === 'commander.unknownCommand' && /\.(ya?ml|jsonc?|toml)$|\//.test(command ?? '')
  const meant = isFile ? `did you mean: assay run ${command}` : suggestion?.replace(/^\((.*)\)$/, '$1')
  const hint = meant ?? help
  return new AssayError('usage', message, { hint, facts: { argv: [...words] } })
}
