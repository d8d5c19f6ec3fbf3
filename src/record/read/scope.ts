/**
 * Which runs a reader means. `experiment`: all runs of the definition, whichever calls selected them; what analysis, status
 * and reports speak of. `call`: those that the last call selected; what that call's own summary speaks of.
 */
export type Scope = 'experiment' | 'call'

/** SQL: whether a row of `runs` is one of them; `runs` may have another name in the query. */
export function isIn(scope: Scope, runs = 'runs'): string {
  return scope === 'call' ? `${runs}.generation = (SELECT generation FROM experiment)` : `${runs}.in_definition = 1`
}
