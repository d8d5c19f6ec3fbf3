import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
  // With LANG=C a browser says that it speaks en-US@posix, which its own number formats refuse.
  const env: Record<string, string> = { LANG: 'en_US.UTF-8' }
  for (const [name, value] of Object.entries(found.env)) if (value !== undefined && name !== 'LANG') env[name] = value
  return chromium.launch({ executablePath: found.path, env, args: ['--no-sandbox', '--disable-gpu'] })
}

async function findProgram(): Promise<Program | null> {
  const own = process.env.TEST_BROWSER === 'npm' ? undefined : installed.find(path => existsSync(path))
  const found = own === undefined ? await shipped() : { path: own, env: process.env }
  return found !== null && starts(found) ? found : null
}

/** It brings the libraries that it needs, but unpacks them only where it takes the machine for one of Amazon's. */
async function shipped(): Promise<Program | null> {
  const { AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env
  try {
    process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
    const { default: chromium } = await import('@sparticuz/chromium')
    const path = await chromium.executablePath()
    const env = { ...process.env }
    pointToFonts(env.FONTCONFIG_PATH ?? '')
    return { path, env }
  } catch {
    return null
  } finally {
    // Only the browser may see them: programs under test have their own.
    restore('AWS_LAMBDA_JS_RUNTIME', AWS_LAMBDA_JS_RUNTIME)
    restore('LD_LIBRARY_PATH', LD_LIBRARY_PATH)
    restore('FONTCONFIG_PATH', FONTCONFIG_PATH)
  }
}

/** Its fonts lie where it unpacked them, and its list of places knows only one: without any font it ends itself. */
function pointToFonts(folder: string): void {
  const list = join(folder, 'fonts.conf')
  if (existsSync(list)) writeFileSync(list, readFileSync(list, 'utf8').replaceAll('/tmp/fonts', folder))
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
