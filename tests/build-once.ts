import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Tests that start the real program find it up to date. */
export function setup(): void {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--if-changed'], { stdio: 'inherit' })
}
