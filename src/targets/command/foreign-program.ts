import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** The platform of a program. */
interface Format {
  readonly name: string
  readonly system: 'darwin' | 'win32' | 'elf'
  /** As Node names it; null: not known, or for several. */
  readonly arch: string | null
}

/** `Mach-O (macOS, arm64)` where this machine can't execute the file; null: it can, or its format is not known. */
export function foreignFormat(
  file: string,
  { platform, arch }: Machine = process,
  handlers = '/proc/sys/fs/binfmt_misc',
): string | null {
  const head = headOf(file)
  const format = head === null ? null : formatOf(head)
  if (head === null || format === null || canExecute(format, platform, arch)) return null
  return platform === 'linux' && hasHandler(head, handlers) ? null : format.name
}

type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>

function headOf(file: string): Buffer | null {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(256)
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

/** By the first bytes: loader.h and fat.h of macOS, elf(5), the DOS header of Windows programs. */
function formatOf(head: Buffer): Format | null {
  if (head.length < 20) return null
  const magic = head.readUInt32BE(0)
  if (magic === 0xcffaedfe || magic === 0xcefaedfe) return machO(cpus[head.readUInt32LE(4)] ?? null)
  if (magic === 0xfeedfacf || magic === 0xfeedface) return machO(cpus[head.readUInt32BE(4)] ?? null)
  // Compiled Java has the same beginning as a fat binary, with a version of at least 45 in place of the number of
  // parts.
  if (magic === 0xcafebabe && head.readUInt32BE(4) < 45) return machO(null)
  if (magic === 0x7f454c46) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18)
    const arch = elfMachines[machine] ?? null
    return { name: `ELF${arch === null ? '' : ` (${arch})`}`, system: 'elf', arch }
  }
  return head.toString('latin1', 0, 2) === 'MZ' ? { name: 'PE (Windows)', system: 'win32', arch: null } : null
}

const machO = (arch: string | null): Format => ({
  name: `Mach-O (macOS${arch === null ? '' : `, ${arch}`})`,
  system: 'darwin',
  arch,
})

const cpus: { readonly [type: number]: string } = { 7: 'ia32', 16777223: 'x64', 12: 'arm', 16777228: 'arm64' }

const elfMachines: { readonly [machine: number]: string } = {
  3: 'ia32',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
}

/** Systems with several processor types may execute each other's programs: that is not refused here. */
function canExecute({ system, arch }: Format, platform: string, own: string): boolean {
  if (platform === 'darwin' || platform === 'win32') return system === platform
  if (system !== 'elf') return false
  const older: { readonly [arch: string]: string } = { x64: 'ia32', arm64: 'arm' }
  return arch === null || arch === own || older[own] === arch
}

/** Linux hands a format to whichever program was registered for it: an emulator, or Windows itself. */
function hasHandler(head: Buffer, handlers: string): boolean {
  try {
    return readdirSync(handlers).some(name => matches(readFileSync(join(handlers, name), 'utf8'), head))
  } catch {
    return false
  }
}

function matches(handler: string, head: Buffer): boolean {
  const field = (name: string) => new RegExp(`^${name} (\\w+)$`, 'm').exec(handler)?.[1]
  const magic = Buffer.from(field('magic') ?? '', 'hex')
  const mask = Buffer.from(field('mask') ?? '', 'hex')
  const offset = Number(field('offset') ?? 0)
  if (!handler.startsWith('enabled') || magic.length === 0) return false
  return magic.every((byte, at) => ((head[offset + at] ?? 0) & (mask[at] ?? 0xff)) === byte)
}
