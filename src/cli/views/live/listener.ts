/** 0 with -q, 1 usually, 2 with -v, 3 with -vv. */
export type Verbosity = 0 | 1 | 2 | 3

export function verbosity(options: { readonly quiet?: boolean; readonly verbose?: number }): Verbosity {
  if (options.quiet === true) return 0
  const more = options.verbose ?? 0
  return more === 0 ? 1 : more === 1 ? 2 : 3
}
