import type { Finding } from '../../doctor/finding.ts'
import { checkFolder } from '../../doctor/folder.ts'
import { checkRuntime } from '../../doctor/runtime.ts'
import { checkSystem } from '../../doctor/system.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { type Style, styler } from '../../views/style.ts'

export async function doctorCommand(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const findings = (await Promise.all([checkRuntime(), checkSystem(), checkFolder(io.cwd)])).flat()
  if (options.json) writeJson(io.stdout, { kind: 'doctor', findings })
  else writeLines(io.stdout, findingLines(findings, styler(io.stdout)))
  return findings.some(finding => finding.level === 'problem') ? 1 : 0
}

export function findingLines(findings: readonly Finding[], style: Style): string[] {
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), problem: style.red('✗') }
  const width = Math.max(...findings.map(finding => finding.name.length))
  return findings.flatMap(({ name, level, detail, hint }) => [
    `${marks[level]} ${name.padEnd(width)}  ${detail}`,
    ...(hint === undefined ? [] : [`  ${' '.repeat(width)}  ${hint}`]),
  ])
}
