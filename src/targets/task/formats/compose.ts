import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { TaskFolder } from './task-folder.ts'

/** The content of a docker-compose.yaml beyond "build the Dockerfile next to it". */
export interface Compose {
  /** Of the agent's service; null: it is built. */
  readonly image: string | null
  /** Relative to the folder of the file; null: `Dockerfile`. */
  readonly dockerfile: string | null
  readonly env: Readonly<Record<string, string>>
  readonly unsupported: readonly string[]
}

/** Keys that give a container more than a sandbox of assay has, or remove something that it has. */
const beyondUs = [
  'privileged',
  'cap_add',
  'devices',
  'security_opt',
  'runtime',
  'pid',
  'ipc',
  'network_mode',
  'sysctls',
  'gpus',
  'userns_mode',
]

/** `primary` is the service in which the agent works. */
export function readCompose(file: string, primary: string, folder: TaskFolder): Compose | null {
  const settings = folder.readSettings(file)
  if (settings === null) return null
  const services = isJsonObject(settings.value) ? settings.value.services : undefined
  if (!isJsonObject(services)) {
    folder.problems.push(`${file}: services: missing, expected a map of keys and values`)
    return null
  }
  const main = services[primary] ?? {}
  if (!isJsonObject(main)) {
    folder.problems.push(`${file}: services.${primary}: expected a map of keys and values`)
    return null
  }
  const others = Object.keys(services).filter(name => name !== primary)
  return {
    image: imageOf(main),
    dockerfile: isJsonObject(main.build) && typeof main.build.dockerfile === 'string' ? main.build.dockerfile : null,
    env: environmentOf(main.environment),
    unsupported: [
      ...others.map(name => `${file}: the service "${name}"`),
      ...beyondUs.filter(key => key in main).map(key => `${file}: services.${primary}.${key}`),
      ...ownVolumes(main.volumes).map(volume => `${file}: the volume "${volume}"`),
    ],
  }
}

/** A name with variables is that of the image to be built. */
function imageOf({ image, build }: JsonObject): string | null {
  return build === undefined && typeof image === 'string' && !image.includes('${') ? image : null
}

/** As a list of `NAME=value` or as a map; variables that Terminal-Bench or Harbor fills in are left out. */
function environmentOf(written: Json | undefined): Readonly<Record<string, string>> {
  const entries: readonly (readonly [string, string])[] = Array.isArray(written)
    ? written.map(entry => split(String(entry)))
    : isJsonObject(written)
      ? Object.entries(written).map(([name, value]) => [name, value === null ? `\${${name}}` : String(value)] as const)
      : []
  return Object.fromEntries(entries.filter(([, value]) => !filledIn.test(value)))
}

const filledIn = /\$\{(?:T_BENCH|HOST|ENV|MAIN|TEST_DIR|CONTEXT)_?/

function split(entry: string): readonly [string, string] {
  const at = entry.indexOf('=')
  // A name alone takes the host's value.
  return at === -1 ? [entry, `\${${entry}}`] : [entry.slice(0, at), entry.slice(at + 1)]
}

/** Logs and tests are mounted by the harness; anything else is the task's own folder or volume. */
function ownVolumes(written: Json | undefined): readonly string[] {
  if (!Array.isArray(written)) return []
  return written
    .map(volume => (typeof volume === 'string' ? volume : JSON.stringify(volume)))
    .filter(volume => !filledIn.test(volume))
}
