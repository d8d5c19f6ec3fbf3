import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser as Running } from 'playwright-core'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

interface Program {
  readonly path: string
  /** The environment that it starts in. */
  readonly env: NodeJS.ProcessEnv
}

let program: Promise<Program | null> | undefined

/** An installed browser that starts: the system's own, or the one from npm; null without either. */
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

/** The one from npm, with its libraries and fonts. */
async function shipped(): Promise<Program | null> {
  try {
    const folder = await unpacked()
    const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(path => path !== undefined)
    const env = {
      ...process.env,
      LD_LIBRARY_PATH: libraries.join(':'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    }
    return { path: join(folder, 'chromium'), env }
  } catch {
    return null
  }
}

/** Several threads may need it at once: each unpacks its own copy, and the first one to finish moves it to the shared place. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), 'assay-browser')
  if (existsSync(folder)) return folder
  const own = mkdtempSync(`${folder}-`)
  await unpackInto(own)
  pointToFonts(join(own, 'fonts'), join(folder, 'fonts'))
  try {
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** It unpacks into the temporary folder, and its libraries only if it takes the machine for one of Amazon's. */
async function unpackInto(folder: string): Promise<void> {
  const { AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH, FONTCONFIG_PATH, TMPDIR } = process.env
  try {
    process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
    process.env.TMPDIR = folder
    const { default: chromium } = await import('@sparticuz/chromium')
    await chromium.executablePath()
  } finally {
    // Only the browser may see them: programs under test have their own.
    restore('AWS_LAMBDA_JS_RUNTIME', AWS_LAMBDA_JS_RUNTIME)
    restore('LD_LIBRARY_PATH', LD_LIBRARY_PATH)
    restore('FONTCONFIG_PATH', FONTCONFIG_PATH)
    restore('TMPDIR', TMPDIR)
  }
}

/** Its font configuration has only one path, which is not where it unpacked them; without any font it exits. */
function pointToFonts(unpackedTo: string, folder: string): void {
  const list = join(unpackedTo, 'fonts.conf')
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
