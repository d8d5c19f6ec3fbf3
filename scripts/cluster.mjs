// The tests on a real Slurm, including those that take minutes. Installs Slurm if missing: Debian or Ubuntu, as root.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const packages = ['slurmctld', 'slurmd', 'slurm-client', 'munge']
const run = (program, args, env = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

if (!existsSync('/usr/sbin/slurmctld') || !existsSync('/usr/sbin/munged')) {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  const status = run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages], quiet)
  if (status !== 0) {
    process.stderr.write(`assay: Slurm could not be installed; install ${packages.join(', ')} and try again\n`)
    process.exit(status)
  }
}
process.exitCode = run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'tests/execute/slurm'], {
  ASSAY_CLUSTER: '1',
})
