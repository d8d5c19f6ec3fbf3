import { pathToFileURL } from 'node:url'

// biome-ignore lint/complexity/noBannedTypes: an import gives any callable
type Callable = Function

const loaded = new Map<string, Callable>()

/** Imports a module once per thread and takes the function out of it. */
export async function loadFunction(module: string, name: string): Promise<Callable> {
  const exports: Record<string, unknown> = await import(pathToFileURL(module).href)
  const found = exports[name]
  if (typeof found !== 'function') throw new TypeError(notExported(module, name, exports))
  loaded.set(`${module}#${name}`, found)
  return found
}

/** Synchronous once the module is loaded: thousands of short calls a second depend on it. */
export const loadedFunction = (module: string, name: string): Callable | undefined => loaded.get(`${module}#${name}`)

function notExported(module: string, name: string, exports: Record<string, unknown>): string {
  const functions = Object.keys(exports).filter(key => typeof exports[key] === 'function')
  const there = functions.length === 0 ? 'it exports no function' : `it exports ${functions.join(', ')}`
  const what = exports[name] === undefined ? `has no export "${name}"` : `exports "${name}", but not as a function`
  return `${module} ${what}; ${there}`
}
