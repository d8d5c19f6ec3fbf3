/** A method as a paper calls it. */
export const intervalName = (method: string): string => names[method] ?? method

const names: Readonly<Record<string, string>> = {
  t: 'Student’s t',
  wider: 'the wider of Student’s t and the studentised bootstrap',
  studentized: 'studentised bootstrap',
  newcombe: 'Newcombe’s method for shares',
  permutation: 'permutation',
  wilson: 'Wilson’s method for shares',
  'wilson on the effective size': 'Wilson’s method for shares, on the effective number of runs',
  'clustered t': 'Student’s t with clustered errors',
}

/** Whether the ends depend on samples that were drawn. */
export const isResampled = (method: string): boolean => !byFormula.includes(method)

const byFormula: readonly string[] = ['t', 'newcombe', 'wilson', 'wilson on the effective size', 'clustered t']
