/** `${VAR}` or `${VAR:-default}`, as Harbor writes values that come from the host. */
const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** The values with the host's variables filled in, and the variables that are not set. */
export function fillVariables(
  values: Readonly<Record<string, string>>,
  host: Readonly<Record<string, string | undefined>>,
): { readonly values: Readonly<Record<string, string>>; readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const fill = (text: string): string =>
    text.replaceAll(reference, (_, name: string, otherwise: string | undefined) => {
      const found = host[name]
      // As in a shell, `:-` also replaces a variable that is set to nothing.
      if (otherwise !== undefined) return found || otherwise
      if (found === undefined) missing.add(name)
      return found ?? ''
    })
  return {
    values: Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fill(text)])),
    missing: [...missing],
  }
}

/** The variables without which these values can't be filled in. */
export const neededVariables = (values: Readonly<Record<string, string>>): readonly string[] =>
  fillVariables(values, {}).missing
