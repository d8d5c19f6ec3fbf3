import type { Need } from '../../task.ts'
import { needsOfCommands } from './needs-of-commands.ts'
import { joinedLines } from './shell-lines.ts'

/** What building an image from it needs: base images, packages, downloads, each with its line. */
export function needsOfDockerfile(text: string, file: string): readonly Need[] {
  const needs: Need[] = []
  const stages = new Set<string>(['scratch'])
  for (const { line, text: written } of joinedLines(text)) {
    const [word = '', ...rest] = written.split(/\s+/)
    const where = `${file}:${line}`
    switch (word.toUpperCase()) {
      case 'FROM': {
        const [image = '', , stage] = rest.filter(part => !part.startsWith('--'))
        if (!stages.has(image.toLowerCase())) needs.push({ kind: 'image', what: image, where })
        if (stage !== undefined) stages.add(stage.toLowerCase())
        break
      }
      case 'RUN':
        needs.push(...needsOfCommands(commandOf(written), where))
        break
      case 'ADD':
        for (const url of rest.filter(part => /^https?:/.test(part)))
          needs.push({ kind: 'download', what: `ADD ${url}`, where })
        break
    }
  }
  return needs
}

/** Without `RUN` and its options; the words of a JSON list. */
function commandOf(written: string): string {
  const command = written.replace(/^RUN\s+(?:--\S+\s+)*/i, '')
  const words = /^\[(.*)\]$/.exec(command)?.[1]
  return words === undefined
    ? command
    : words
        .replaceAll(/["',]+/g, ' ')
        .trim()
        .replaceAll(/\s+/g, ' ')
}

/** Whether it copies the complete build context: if tests and solution are in it, the agent would see them. */
export function copiesEverything(text: string): boolean {
  for (const { text: written } of joinedLines(text)) {
    const [word = '', ...rest] = written.split(/\s+/)
    const sources = rest.filter(part => !part.startsWith('--')).slice(0, -1)
    if (/^(?:COPY|ADD)$/i.test(word) && sources.some(source => source === '.' || source === './' || source === '*'))
      return true
  }
  return false
}
