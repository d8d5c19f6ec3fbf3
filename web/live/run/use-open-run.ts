import { useHash } from '../../state/use-hash.ts'

/** The run named in the address, whether or not the report knows it yet. */
export function useOpenRun(): readonly [id: string | null, open: (id: string | null) => void] {
  const [hash] = useHash()
  const open = (id: string | null): void => {
    const said = partsOf(location.hash)
    if (id === null) said.delete('run')
    else said.set('run', id)
    location.hash = said.size === 0 ? '' : `/?${said}`
  }
  return [partsOf(hash).get('run'), open]
}

const partsOf = (hash: string): URLSearchParams => new URLSearchParams(hash.replace(/^#\/\?/, ''))
