import { existsSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolders } from '../../../util/files.ts'
import type { BoxSpec } from '../box.ts'
import { copyTree } from '../transfer/copy-tree.ts'
import { removeFolder } from '../transfer/remove-folder.ts'
import { hostView, isWithin } from './host-folders.ts'
import { skeletonOf } from './skeleton.ts'

/** A part of the box's file system: an overlay of its own, as one can't span several file systems of the host. */
export interface Part {
  /** Its path in the box. */
  readonly at: string
  /** Its name in the folders below. */
  readonly name: string
  /** Layers below the one that is written to, uppermost first: absolute, or as paths from the folder of the files. */
  readonly lower: readonly string[]
}

/**
 * The folder that keeps what boxes write:
 * `u/` what was written, one folder for each part; `w/` the overlays' own; `i/` the initial files; `l/` links to layers
 * elsewhere whose paths can't be named in a mount; `m/` where the whole is mounted, in a namespace of the box only.
 */
export interface BoxFiles {
  readonly folder: string
  readonly parts: readonly Part[]
  /** Where a path of the box is written to on the host. */
  written(path: string): string
}

interface Layers {
  readonly mask: string | null
  /** For overlays of a user without rights: attributes are then written in a way that needs none. */
  readonly asUser: boolean
  /** Whether overlays can be mounted at all; otherwise the host's folders are read-only. */
  readonly overlay: boolean
}

export async function prepareFiles(spec: BoxSpec, { mask, asUser, overlay }: Layers): Promise<BoxFiles> {
  const folder = resolve(spec.files)
  const { layer } = spec.root
  const beneath = (spec.beneath ?? []).map(place => resolve(place))
  const hidden = [
    folder,
    ...beneath,
    process.cwd(),
    ...(layer === null ? [] : [layer]),
    ...spec.mounts.map(mount => mount.source),
  ]
  const view = hostView(
    hidden.map(place => resolve(place)),
    spec.network === 'host',
  )
  const isFresh = !existsSync(join(folder, 'u'))
  const skeleton = skeletonOf(view)
  for (const name of ['m', 'u']) makeFolders(join(folder, name))
  removeFolder(join(folder, 'l'))
  const parts = ['/', ...view.folders].map((at): Part => {
    const name = partName(at)
    const link = (kind: string, target: string | null): readonly string[] => {
      if (target === null || !existsSync(target)) return []
      if (/^[\w./+-]+$/.test(target)) return [target]
      makeFolders(join(folder, 'l'))
      symlinkSync(target, join(folder, 'l', `${name}-${kind}`))
      return [`l/${name}-${kind}`]
    }
    const initial = `i/${name}`
    // Their initial content is below what they wrote.
    const earlier = [
      ...beneath.flatMap((place, at) => link(`before-${at}`, join(place, 'u', name))),
      ...beneath.slice(-1).flatMap(place => link('began', join(place, initial))),
    ]
    makeFolders(join(folder, 'u', name))
    if (at === '/') makeFolders(join(folder, initial))
    return {
      at,
      name,
      lower: [
        ...earlier,
        initial,
        ...link('layer', layer === null ? null : join(layer, name)),
        ...(at === '/'
          ? link('skeleton', skeleton)
          : [...link('mask', mask === null ? null : join(mask, at)), ...link('host', at)]),
      ],
    }
  })
  const written = (path: string): string => writtenAt(folder, 'u', parts, path)
  if (isFresh) {
    if (!overlay && layer !== null) await copyTree(join(layer, 'root'), join(folder, 'i', 'root'))
    if (beneath.length === 0)
      for (const { source, target } of spec.initial ?? []) await copyTree(source, writtenAt(folder, 'i', parts, target))
    const earlier = beneath.toReversed().map(place => join(place, 'u', 'root'))
    if (!overlay)
      for (const below of [skeleton, join(folder, 'i/root'), ...earlier])
        await copyTree(below, join(folder, 'u', 'root'))
  }
  const existing = parts.map(part => ({ ...part, lower: part.lower.filter(name => existsSync(resolve(folder, name))) }))
  writeFileSync(join(folder, 'fstab'), existing.map(part => mountLine(part, asUser)).join(''))
  return { folder, parts: existing, written }
}

/** Called before every start of a box: earlier ones may have left something in the way. */
export function readyToMount({ folder, parts }: BoxFiles, mounts: BoxSpec['mounts']): void {
  // The working files of an overlay belong to one mount, and their mark forbids the next one.
  removeFolder(join(folder, 'w'))
  for (const { name } of parts) makeFolders(join(folder, 'w', name))
  for (const { at } of parts) if (at !== '/') clearTheWay(folder, parts, at, true)
  for (const { source, target } of mounts) clearTheWay(folder, parts, target, lstatSync(source).isDirectory())
}

/** An overlay leaves folders without permissions: a user could not delete the results with `rm -r`. */
export const forgetMounts = ({ folder }: BoxFiles): void => removeFolder(join(folder, 'w'))

const partName = (at: string): string => (at === '/' ? 'root' : at.slice(1).replaceAll('/', '+'))

function partOf(parts: readonly Part[], path: string): Part {
  const [first = noPart, ...rest] = parts.filter(({ at }) => isWithin(path, at))
  return rest.reduce((longest, part) => (part.at.length > longest.at.length ? part : longest), first)
}

const noPart: Part = { at: '/', name: 'root', lower: [] }

function writtenAt(folder: string, kind: 'u' | 'i', parts: readonly Part[], path: string): string {
  const part = partOf(parts, path)
  return join(folder, kind, part.name, path.slice(part.at === '/' ? 0 : part.at.length))
}

/**
 * A box may have put a link where something will be mounted in the next one; the mount would follow it, and programs
 * would find other files than intended. No box is open now, so nothing changes meanwhile.
 */
function clearTheWay(folder: string, parts: readonly Part[], path: string, isFolder: boolean): void {
  const part = partOf(
    parts.filter(({ at }) => at !== path),
    path,
  )
  const names = path.slice(part.at.length).split('/').filter(Boolean)
  let at = join(folder, 'u', part.name)
  for (const [index, name] of names.entries()) {
    at = join(at, name)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (found === undefined) return
    const wantsFolder = index < names.length - 1 || isFolder
    if (wantsFolder ? found.isDirectory() : found.isFile()) continue
    removeFolder(at)
    return
  }
}

/** Relative paths within the folder: commas, colons and spaces in its own path would have a meaning here. */
function mountLine({ at, name, lower }: Part, asUser: boolean): string {
  const options = [`lowerdir=${lower.join(':')}`, `upperdir=u/${name}`, `workdir=w/${name}`, 'volatile']
  const mode = asUser ? ['userxattr'] : ['index=off', 'metacopy=off', 'redirect_dir=off']
  return `assay-${name} ${at === '/' ? 'm' : `m${at.replaceAll(' ', '\\040')}`} overlay ${[...options, ...mode].join(',')} 0 0\n`
}
