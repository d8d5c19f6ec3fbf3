import { describe, expect, it } from 'vitest'
import { parseHosts, sshArguments, tunnelTo } from '../../../src/execute/ssh/ssh-command.ts'

describe('ssh', () => {
  it('reads hosts, and refuses names that ssh would treat as options', () => {
    expect(parseHosts('gpu1, me@gpu2.lab=8')).toEqual([
      { name: 'gpu1', slots: null },
      { name: 'me@gpu2.lab', slots: 8 },
    ])
    for (const given of ['-oProxyCommand=x', 'a b', '', 'a=0', 'a=many'])
      expect(() => parseHosts(given)).toThrow('expected hosts such as')
    expect(() => parseHosts('a,a')).toThrow('names a twice')
  })

  it('forwards a remote port to the server of the queue', () => {
    expect(tunnelTo('postgres://me:secret@db.lab/assay?sslmode=disable', 20_001)).toEqual({
      forward: '127.0.0.1:20001:db.lab:5432',
      address: 'postgres://me:secret@127.0.0.1:20001/assay?sslmode=disable',
    })
    expect(tunnelTo('redis://127.0.0.1:7000', 20_002)).toMatchObject({ forward: '127.0.0.1:20002:127.0.0.1:7000' })
  })

  it('keeps the address of the queue out of the command line', () => {
    const tunnel = tunnelTo('postgres://me:secret@db.lab/assay', 20_001)
    const options = { hosts: [], folder: '/home/me/my project', assay: 'npx assay', config: '/tmp/config' }
    const args = sshArguments({ name: 'gpu1', slots: 8 }, tunnel, options)
    expect(args.join('\n')).not.toContain('secret')
    expect(args.slice(0, -1).join(' ')).toBe(
      '-F /tmp/config -o BatchMode=yes -o ExitOnForwardFailure=yes -o ServerAliveInterval=15 -T -R 127.0.0.1:20001:db.lab:5432 gpu1',
    )
    expect(args.at(-1)).toContain("cd '/home/me/my project' || exit 1\n")
    expect(args.at(-1)).toContain('npx assay worker --json -j 8 ')
  })
})
