import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import * as z from 'zod'
import { examineValue } from '../../../../define/read-files.ts'
import { AssayError, messageOf } from '../../../../util/errors.ts'
import { sha256OfJson } from '../../../../util/hash.ts'
import { isJsonObject, type Json } from '../../../../util/json.ts'
import { type BrokenTask, noLimits, onlyStep, type RepoSource, type Task } from '../../task.ts'
import { textThere } from '../setting-parts.ts'
import { repositoryAtHand } from './repository-at-hand.ts'

/** The published files have these lists as JSON inside a text. */
const testNames = z.lazy(() =>
  z.union([z.array(z.string()), z.string()], { error: 'expected a list of tests' }).transform((written, context) => {
    if (typeof written !== 'string') return written
    try {
      return z.array(z.string()).parse(JSON.parse(written))
    } catch {
      context.addIssue('expected a list of tests, or one as JSON')
      return z.NEVER
    }
  }),
)

const instanceSchema = z.lazy(() =>
  z.looseObject({
    instance_id: textThere.regex(/^(?!\.)[\w.@+-]+$/, { error: 'expected letters, digits, "_", "-" and "."' }),
    repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, { error: 'expected owner/name' }),
    base_commit: z.string().regex(/^[0-9a-f]{7,64}$/i, { error: 'expected a commit' }),
    patch: z.string(),
    test_patch: z.string(),
    problem_statement: textThere,
    FAIL_TO_PASS: testNames,
    PASS_TO_PASS: testNames.default([]),
  }),
)

type Instance = z.output<typeof instanceSchema>

/** Every line of a *.jsonl file is a task. Repositories are searched in the folder `repos`. */
export function* readSweBench(path: string, repos: string | null): Generator<Task | BrokenTask> {
  const file = resolve(path)
  for (const { line, text } of linesOf(file)) {
    if (text.trim() === '') continue
    const where = `${basename(file)}:${line}`
    const read = parsed(text)
    if (typeof read === 'string') yield brokenAt(file, where, null, [`${where}  ${read}`])
    else {
      const { value, problems } = examineValue(instanceSchema, read, where)
      yield value === null ? brokenAt(file, where, read, problems) : taskOf(value, file, repos)
    }
  }
}

function brokenAt(file: string, where: string, value: Json, problems: readonly string[]): BrokenTask {
  const id = isJsonObject(value) && typeof value.instance_id === 'string' ? value.instance_id : where
  return { kind: 'broken', id, format: 'swe-bench', dir: file, problems }
}

function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text)
    return typeof value === 'string' ? 'expected an instance, got text' : value
  } catch (error) {
    return `malformed JSON: ${messageOf(error)}`
  }
}

function taskOf(instance: Instance, file: string, repos: string | null): Task {
  const { instance_id: id, repo: name, base_commit: commit } = instance
  const found = repositoryAtHand(name, repos)
  const repo: RepoSource =
    found === null
      ? { kind: 'git', url: `https://github.com/${name}`, branch: 'HEAD', commit }
      : { kind: 'folder', path: found, isRepository: true, commit }
  const needed =
    repos === null ? `${name} at ${commit.slice(0, 12)}` : `${name} at ${commit.slice(0, 12)}, not found in ${repos}`
  return {
    kind: 'task',
    id,
    title: instance.problem_statement.trim().split('\n', 1)[0]?.slice(0, 100) ?? id,
    format: 'swe-bench',
    dir: file,
    tags: [name],
    difficulty: typeof instance.difficulty === 'string' ? instance.difficulty : null,
    digest: sha256OfJson(instance),
    steps: [
      {
        ...onlyStep,
        instruction: instance.problem_statement,
        tests: {
          kind: 'patch',
          patch: instance.test_patch,
          failToPass: instance.FAIL_TO_PASS,
          passToPass: instance.PASS_TO_PASS,
        },
        solution: { kind: 'patch', patch: { text: instance.patch } },
        agentSec: null,
        // As the harness of SWE-bench has it.
        verifySec: 1800,
      },
    ],
    environment: {
      dockerfile: null,
      context: null,
      image: null,
      repo,
      overlays: [],
      remove: [],
      buildSec: 600,
      env: {},
      workdir: '/testbed',
      healthcheck: null,
    },
    limits: { ...noLimits, network: false, verifyNetwork: false },
    rubrics: [],
    rewardStrategy: 'mean',
    overrides: null,
    needs: [
      ...(found === null ? [{ kind: 'repository' as const, what: needed, where: null }] : []),
      { kind: 'program', what: 'pytest', where: null },
      { kind: 'package', what: `packages that ${name} needs`, where: null },
    ],
    unsupported: [],
    notes: [],
  }
}

const mostBytes = 64 * 2 ** 20

interface NumberedLine {
  readonly line: number
  readonly text: string
}

/** One line at a time: such files have hundreds of megabytes. */
function* linesOf(file: string): Generator<NumberedLine> {
  const refused = (what: string) => new AssayError('config', `${basename(file)}: ${what}`)
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw refused('is not a regular file')
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const chunk = Buffer.allocUnsafe(2 ** 18)
    let rest: Buffer[] = []
    let line = 1
    const take = (last: Buffer): string => {
      const text = decoder.decode(Buffer.concat([...rest, last]))
      rest = []
      return text
    }
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      let from = 0
      for (let end = chunk.indexOf(10); end !== -1 && end < length; end = chunk.indexOf(10, from)) {
        yield { line, text: take(chunk.subarray(from, end)) }
        line += 1
        from = end + 1
      }
      rest.push(Buffer.from(chunk.subarray(from, length)))
      if (rest.reduce((sum, part) => sum + part.length, 0) > mostBytes)
        throw refused(`line ${line} has more than 64 MB`)
    }
    if (rest.length > 0) yield { line, text: take(Buffer.alloc(0)) }
  } catch (error) {
    if (error instanceof TypeError) throw refused('is not UTF-8 text')
    throw error
  } finally {
    closeSync(descriptor)
  }
}
