import { statSync } from 'node:fs'
import type { Capabilities, Sandbox } from '../box.ts'
import { buildRoot } from '../build/build-root.ts'
import { removeFolderAside } from '../transfer/remove-folder.ts'
import { prepareFiles } from './box-files.ts'
import { BubblewrapBox } from './bubblewrap-box.ts'
import { hostView } from './host-folders.ts'
import { maskOf } from './mask.ts'
import { type Host, probeHost } from './probe.ts'

/** Namespaces by bubblewrap, over the programs of the host. Rejects if that is not possible. */
export async function openBubblewrap(): Promise<Sandbox> {
  const host = await probeHost()
  const asUser = host.namespaces === null
  const mask = asUser ? null : maskOf(hostView([], false).folders)
  const layers = { mask, asUser, overlay: host.overlay }
  const sandbox: Sandbox = {
    backend: 'bubblewrap',
    version: host.version,
    can: capabilities(host),
    build: (recipe, options) => buildRoot(sandbox, recipe, options, { host: hostIdentity(asUser) }),
    async open(spec) {
      return BubblewrapBox.open(host, spec, await prepareFiles(spec, layers))
    },
    async discard(files) {
      await removeFolderAside(files)
    },
  }
  return sandbox
}

/**
 * Files built on top of other programs may not match these; a user's overlays are not readable for root, and vice
 * versa.
 */
function hostIdentity(asUser: boolean): string {
  const changed = ['/var/lib/dpkg/status', '/var/lib/rpm', '/lib/apk/db/installed', '/usr/bin', '/usr/local/bin']
  const times = changed.map(path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return [process.arch, asUser, ...times].join(' ')
}

function capabilities({ namespaces, overlay, groups }: Host): Capabilities {
  const isRoot = namespaces !== null
  return {
    isolation: 'namespaces',
    images: false,
    cutsNetwork: true,
    memory: true,
    pids: groups.pids || !isRoot,
    storage: true,
    anyPath: true,
    writesAnywhere: overlay,
    otherUsers: isRoot,
    notes: [
      ...(overlay ? [] : ['overlays cannot be mounted here: programs of the host are read-only']),
      ...(groups.memory
        ? []
        : ['no control group for memory: each process is limited, and their sum is checked 4 times a second']),
      ...(groups.pids || !isRoot ? [] : ['no control group for processes, and root is exempt from other limits']),
      ...(isRoot ? [] : ['all programs run as one user, who is root in the box only']),
    ],
  }
}
