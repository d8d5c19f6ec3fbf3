import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium, type Browser as Running } from 'playwright-core'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

interface Program {
  readonly path: string
  /** The environment that it starts in. */
  readonly env: NodeJS.ProcessEnv
}

let program: Promise<Program | null> | undefined

/** A browser that is here and starts: the system's own, or the one that npm brought; null where there is neither. */
export async function browserProgram(): Promise<Program | null> {
  program ??= findProgram()
  return program
}

export async function startBrowser(): Promise<Running> {
  const found = await browserProgram()
  if (found === null) throw new Error('there is no browser here')
  const env = Object.fromEntries(
    Object.entries(found.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return chromium.launch({ executablePath: found.path, env, args: ['--no-sandbox', '--disable-gpu'] })
}

async function findProgram(): Promise<Program | null> {
  const own = process.env.TEST_BROWSER === 'npm' ? undefined : installed.find(path => existsSync(path))
  const found = own === undefined ? await shipped() : { path: own, env: process.env }
  return found !== null && starts(found) ? found : null
}

/** It brings the libraries that it needs, but unpacks them only where it takes the machine for one of Amazon's. */
async function shipped(): Promise<Program | null> {
  const { AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH } = process.env
  try {
    process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
    const { default: chromium } = await import('@sparticuz/chromium')
    const path = await chromium.executablePath()
    return { path, env: { ...process.env } }
  } catch {
    return null
  } finally {
    // Only the browser may see them: programs under test have their own.
    restore('AWS_LAMBDA_JS_RUNTIME', AWS_LAMBDA_JS_RUNTIME)
    restore('LD_LIBRARY_PATH', LD_LIBRARY_PATH)
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

function starts({ path, env }: Program): boolean {
  try {
    execFileSync(path, ['--version'], { env, stdio: 'ignore', timeout: 60_000 })
    return true
  } catch {
    return false
  }
}
