import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes a generated file, or with `--check` reports whether the one in the repository is up to date. */
export function writeOrCompare(file, text, command) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  if (!process.argv.includes('--check')) return writeFileSync(path, text)
  if (read(path) === text) return
  console.error(`${file} no longer says what the code says. Run: ${command}`)
  process.exitCode = 1
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
