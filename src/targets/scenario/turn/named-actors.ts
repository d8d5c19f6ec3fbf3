import type { Scenario } from '../scenario.ts'

type Actors = Pick<Scenario, 'actors'>

/** By full name or short name, ignoring case and a remark in brackets after it. null: there is none. */
export function actorNamed(name: string, { actors }: Actors): string | null {
  const [whole, short] = [name, name.replace(/\s*\([^()]*\)\W*$/u, '')].map(plain)
  const found = [whole, short].flatMap(
    wanted => actors.find(one => plain(one.name) === wanted || plain(one.short_name) === wanted) ?? [],
  )
  return found[0]?.short_name ?? null
}

/** Each name in a list as written, with its actor; names may contain commas and "and" too. */
export function actorsListed(
  text: string,
  scenario: Actors,
): readonly { readonly written: string; readonly actor: string | null }[] {
  const pieces = text
    .split(/[,;\n]|\band\b/i)
    .map(piece => piece.replace(/^\s*[-*]\s*/, '').trim())
    .filter(piece => plain(piece) !== '')
  const listed: { written: string; actor: string | null }[] = []
  for (let at = 0; at < pieces.length; ) {
    const [first, ...others] = spans(pieces, at).map(written => ({ written, actor: actorNamed(written, scenario) }))
    const found = others.findLast(({ actor }) => actor !== null) ?? first
    if (found === undefined) break
    listed.push(found)
    at += Math.max(1, others.indexOf(found) + 2)
  }
  return listed
}

/** The piece, the piece with the next one, and so on. */
const spans = (pieces: readonly string[], from: number): readonly string[] =>
  pieces.slice(from).map((_, at) => pieces.slice(from, from + at + 1).join(', '))

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\band\b/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
