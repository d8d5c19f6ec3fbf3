import { version } from '../../util/version.ts'
import { attributesOf } from './span.ts'

interface Named {
  readonly key: string
  readonly value: unknown
}

/**
 * The resource of spans: of assay's own (`theirs` is null), or of another program. All of them name their run; such an
 * attribute of another program is not trusted.
 */
export function resourceOf(theirs: readonly Named[] | null, about: readonly Named[]): readonly Named[] {
  if (theirs === null) return [...attributesOf({ 'service.name': 'assay', 'service.version': version }), ...about]
  const names = new Set(about.map(({ key }) => key))
  const kept = theirs.filter(({ key }) => !names.has(key))
  const hasName = kept.some(({ key }) => key === 'service.name')
  return [...(hasName ? [] : attributesOf({ 'service.name': 'unknown_service' })), ...kept, ...about]
}
