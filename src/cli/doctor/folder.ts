import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../util/errors.ts'
import { networkFileSystem } from '../../util/files.ts'
import { bytes } from '../views/number.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The folder that experiments would be written to. */
export async function checkFolder(folder: string): Promise<readonly Finding[]> {
  return [await writable(folder), ...(await disk(folder))]
}

/** Permissions say too little (read-only mounts, quotas), so a file is actually written. */
async function writable(folder: string): Promise<Finding> {
  try {
    const probe = await mkdtemp(join(folder, '.assay-doctor-'))
    await writeFile(join(probe, 'probe'), 'x')
    await rm(probe, { recursive: true })
    return ok('this folder', 'can be written')
  } catch (error) {
    return problem('this folder', messageOf(error), 'Give a folder that can be written with --out-root.')
  }
}

const littleSpace = 1e9

async function disk(folder: string): Promise<readonly Finding[]> {
  try {
    const { bavail, bsize, type } = await statfs(folder)
    return [space(bavail * bsize), fileSystem(type)]
  } catch (error) {
    return [warning('disk', messageOf(error), 'Free space and kind of file system are unknown.')]
  }
}

function space(free: number): Finding {
  const detail = `${bytes(free)} free`
  return free < littleSpace ? warning('disk', detail, 'Runs fail when their outputs do not fit.') : ok('disk', detail)
}

function fileSystem(type: number): Finding {
  const network = networkFileSystem(type)
  if (network === undefined) return ok('file system', 'local')
  return warning(
    'file system',
    `${network}, over the network`,
    'Only one assay process may work on an experiment here.',
  )
}
