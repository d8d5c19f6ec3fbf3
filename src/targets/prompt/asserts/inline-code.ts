/** JavaScript in the experiment file: an expression, or, over several lines, the body of a function that returns. */
export function codeFunction(code: string, parameters: readonly string[]): (...values: unknown[]) => unknown {
  const body = code.trim().includes('\n') ? code : `return (${code.trim().replace(/;$/, '')})`
  // The user's own code, from the user's own file: as trusted as a module that the file names.
  const made = new Function(...parameters, body)
  return (...values) => {
    const returned: unknown = made(...values)
    return typeof returned === 'function' ? returned(...values) : returned
  }
}

/** The answer after a transform: `transform: output.trim()`. */
export async function transformed(code: string, text: string, context: object): Promise<string> {
  const made = await codeFunction(code, transformParameters)(text, context)
  if (made === undefined || made === null) throw new TypeError(`transform gave ${String(made)}: ${code}`)
  return typeof made === 'string' ? made : JSON.stringify(made)
}

export const transformParameters = ['output', 'context']
