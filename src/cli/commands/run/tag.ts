import { addNote, addTag, labelsOf, removeTag } from '../../../record/journal/experiment-row.ts'
import type { Journal } from '../../../record/journal/journal.ts'
import { findRun, someRunNames } from '../../../record/read/observations.ts'
import { AssayError } from '../../../util/errors.ts'
import { suggest } from '../../../util/suggest.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson } from '../../io.ts'
import type { Options } from '../../options.ts'

export async function tagCommand([dirName, ...words]: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = experimentDirArgument(dirName === undefined ? [] : [dirName], options, io)
  const { labels, subject } = withJournal(dir, journal => {
    const { run, tags } = runAndTags(journal, words)
    if (tags.length === 0 && options.note === undefined && words.length > 0 && run === null)
      throw new AssayError('usage', 'no tags were given')
    const now = Date.now()
    const runId = run?.id ?? null
    for (const tag of tags) {
      if (!options.remove) addTag(journal, runId, tag, now)
      else if (!removeTag(journal, runId, tag)) throw new AssayError('not_found', `there is no tag "${tag}" to remove`)
    }
    if (options.note !== undefined) addNote(journal, runId, options.note, now)
    return { labels: labelsOf(journal, runId), subject: run?.name ?? dir }
  })
  if (options.json) writeJson(io.stdout, { kind: 'tag', dir, subject, ...labels })
  else
    io.stdout.write(
      `${subject}\n  tags: ${labels.tags.join(', ') || 'none'}\n${labels.notes.map(note => `  note: ${note}\n`).join('')}`,
    )
  return 0
}

/** The first word may name a run; otherwise it is a tag like the others, unless it is almost the name of a run. */
function runAndTags(journal: Journal, words: readonly string[]) {
  const [first, ...rest] = words
  if (first === undefined) return { run: null, tags: [] }
  try {
    return { run: findRun(journal, first), tags: rest }
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'not_found') throw error
    const meant = labelsOf(journal, null).tags.includes(first) ? null : nearRun(journal, first)
    if (meant === null) return { run: null, tags: words }
    throw new AssayError('not_found', `there is no run "${first}" in this experiment; did you mean ${meant}?`, {
      hint: 'To tag the whole experiment with a word that looks like a run, write it after another tag.',
    })
  }
}

/**
 * A mistyped run must not become a tag of the whole experiment: finds a run whose name, or the beginning of it, is
 * close to this word.
 */
function nearRun(journal: Journal, word: string): string | null {
  const names = someRunNames(journal, mostCompared)
  const forms = names.flatMap(name => [name, name.replace(/__[0-9a-f]{12}$/, ''), name.slice(0, word.length)])
  return suggest(word, new Set(forms))
}

const mostCompared = 5000
