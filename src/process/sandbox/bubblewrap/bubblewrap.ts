import type { Capabilities, Sandbox } from '../box.ts'
import { removeFolder } from '../transfer/remove-folder.ts'
import { prepareFiles } from './box-files.ts'
import { BubblewrapBox } from './bubblewrap-box.ts'
import { hostView } from './host-folders.ts'
import { maskOf } from './mask.ts'
import { type Host, probeHost } from './probe.ts'

/** Namespaces by bubblewrap, over the programs of the host. Rejects where that is not possible. */
export async function openBubblewrap(): Promise<Sandbox> {
  const host = await probeHost()
  const asUser = host.namespaces === null
  const mask = asUser ? null : maskOf(hostView([]).folders)
  const layers = { mask, asUser, overlay: host.overlay }
  return {
    backend: 'bubblewrap',
    version: host.version,
    can: capabilities(host),
    build: () => Promise.reject(new Error('not yet')),
    async open(spec) {
      return BubblewrapBox.open(host, spec, await prepareFiles(spec, layers))
    },
    async discard(files) {
      removeFolder(files)
    },
  }
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
