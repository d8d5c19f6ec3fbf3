import { existsSync } from 'node:fs'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

let program: Promise<string | null> | undefined

/** A browser that is here: the system's own, or the one that npm brought; null where there is neither. */
export async function browserProgram(): Promise<string | null> {
  program ??= findProgram()
  return program
}

async function findProgram(): Promise<string | null> {
  const own = installed.find(path => existsSync(path))
  if (own !== undefined) return own
  try {
    const { default: shipped } = await import('@sparticuz/chromium')
    return await shipped.executablePath()
  } catch {
    return null
  }
}
