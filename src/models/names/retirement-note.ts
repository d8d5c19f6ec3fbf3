import { providers, retired } from './known-names.ts'

/** A sentence where a model is gone, or will be; null where nothing is known of it. `now`: milliseconds since 1970. */
export function retirementNote(provider: string, model: string, now: number): string | null {
  const bare = model.replace(/^.*\//, '').replace(/:[a-z]+$/, '')
  const ids = [bare, ...Object.values(providers).flatMap(({ ids: of }) => of?.[bare] ?? [])]
  const id = ids.find(one => Object.hasOwn(retired, one))
  const entry = id === undefined ? undefined : retired[id]
  if (entry === undefined || !isOf(provider, entry.provider)) return null
  const { on, nearest } = entry
  const title = providers[entry.provider]?.title ?? entry.provider
  const isGone = now >= Date.parse(on)
  return `${bare} ${isGone ? 'was' : 'will be'} retired by ${title} on ${on}; the nearest is ${nearest}`
}

const isOf = (provider: string, owner: string): boolean =>
  provider === owner || provider === 'openrouter' || (provider === 'vertex' && owner === 'google')
