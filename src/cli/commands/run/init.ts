import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { batchTemplate, dialectTemplates, type Template } from '../../../define/dialects/for-help.ts'
import { AssayError } from '../../../util/errors.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { listed } from '../../../util/words.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { commandTemplate } from '../../templates/command.ts'
import { functionTemplate } from '../../templates/function.ts'
import { promptTemplate } from '../../templates/prompt.ts'
import { scenarioTemplate } from '../../templates/scenario.ts'
import { taskTemplate } from '../../templates/task.ts'

const templates: readonly Template[] = [
  commandTemplate,
  functionTemplate,
  promptTemplate,
  taskTemplate,
  scenarioTemplate,
  ...dialectTemplates,
]

export async function initCommand([where = '.']: readonly string[], options: Options, io: Io): Promise<number> {
  if (options.template === batchTemplate)
    return (await import('../../scenario/batch-wizard.ts')).batchWizard([where], options, io)
  const folder = resolve(io.cwd, where)
  const template = await chooseTemplate(options, io)
  if (!options.force) refuseToOverwrite(template, folder)
  await writeTemplate(template, folder)
  await keepResultsOutOfGit(folder)
  const config = relative(io.cwd, join(folder, template.config))
  const files = template.files.map(file => relative(io.cwd, join(folder, file.path)))
  if (options.json) writeJson(io.stdout, { kind: 'init', template: template.name, config, files })
  else
    writeLines(io.stdout, [
      `wrote ${listed(files, files.length)}`,
      `see what it would run:  assay plan ${config}`,
      `run it:                 assay run ${config}`,
    ])
  return 0
}

async function chooseTemplate(options: Options, io: Io): Promise<Template> {
  const named = templates.find(template => template.name === options.template)
  if (named !== undefined) return named
  if (io.stdin.isTTY === true && io.stdout.isTTY && !options.yes && !options.json) return ask(io)
  const names = templates.map(template => template.name).join(', ')
  io.stderr.write(`using the template "${commandTemplate.name}"; --template chooses another: ${names}\n`)
  return commandTemplate
}

async function ask(io: Io): Promise<Template> {
  const choices = templates.map((template, index) => `  ${index + 1}  ${template.summary}  (${template.name})`)
  const numbers = listed(
    templates.map((_, index) => String(index + 1)),
    Number.POSITIVE_INFINITY,
    'or',
  )
  const prompt = `${numbers} [1]: `
  io.stdout.write(['What does a run do?', ...choices, prompt].join('\n'))
  // As lines, not question by question: a pasted answer may contain several lines.
  const lines = createInterface({ input: io.stdin })
  for await (const line of lines) {
    const answer = line.trim() || '1'
    const chosen = templates.find((template, index) => answer === String(index + 1) || answer === template.name)
    if (chosen !== undefined) {
      // An open terminal listener would keep this process from ending.
      lines.close()
      return chosen
    }
    const meant = didYouMean(
      answer,
      templates.map(({ name }) => name),
    )
    const refusal = `expected ${numbers}, or a name, got ${JSON.stringify(answer)}`
    io.stdout.write(`${meant === undefined ? refusal : `${refusal}; ${meant}`}\n${prompt}`)
  }
  throw new AssayError('usage', 'no template was chosen', { hint: 'Name one: assay init --template command' })
}

function refuseToOverwrite(template: Template, folder: string): void {
  const existing = template.files.map(file => join(folder, file.path)).filter(path => existsSync(path))
  if (existing.length > 0)
    throw new AssayError('usage', `already there: ${existing.join(', ')}`, {
      hint: 'Name another folder, or overwrite with --force.',
      facts: { files: existing },
    })
}

async function writeTemplate(template: Template, folder: string): Promise<void> {
  for (const { path, text, isExecutable } of template.files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text.replace('@schema@', schemaSeenFrom(folder)), { mode: isExecutable ? 0o755 : 0o644 })
  }
}

/** Results are large, and the same command makes them again; an existing `.gitignore` belongs to the user. */
async function keepResultsOutOfGit(folder: string): Promise<void> {
  const file = join(folder, '.gitignore')
  if (!existsSync(file)) await writeFile(file, 'results/\n')
}

/** Relative, so that people who keep assay in the same place can share the experiment. */
function schemaSeenFrom(folder: string): string {
  return relative(folder, join(packageFolder(), 'schema', 'experiment.schema.json'))
}

/** Upwards from this file, which is at different depths in src/ and in dist/. */
function packageFolder(): string {
  let folder = fileURLToPath(new URL('.', import.meta.url))
  while (!existsSync(join(folder, 'bin', 'assay.mjs')) && folder !== resolve(folder, '..'))
    folder = resolve(folder, '..')
  return folder
}
