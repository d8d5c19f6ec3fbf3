/** One result of a check. `warning`: it works, but not everything will. */
export interface Finding {
  readonly name: string
  readonly level: 'ok' | 'warning' | 'problem'
  readonly detail: string
  readonly hint?: string
}

export const ok = (name: string, detail: string): Finding => ({ name, level: 'ok', detail })
export const warning = (name: string, detail: string, hint: string): Finding => ({
  name,
  level: 'warning',
  detail,
  hint,
})
export const problem = (name: string, detail: string, hint: string): Finding => ({
  name,
  level: 'problem',
  detail,
  hint,
})
