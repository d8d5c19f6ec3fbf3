import { execFileSync } from 'node:child_process'

/** As NVIDIA's own tool lists them; 0 where there is no such tool. */
export function countGpus(): number {
  try {
    const said = execFileSync('nvidia-smi', ['-L'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    })
    return said.split('\n').filter(line => line.startsWith('GPU ')).length
  } catch {
    return 0
  }
}
