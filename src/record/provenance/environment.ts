/** Variables that change how programs behave, and carry nothing private. */
const usual =
  /^(PATH|LANG|LC_\w+|TZ|SHELL|NODE_OPTIONS|NODE_ENV|PYTHON\w*|VIRTUAL_ENV|CONDA_\w+|OMP_\w+|MKL_\w+|OPENBLAS_\w+|CUDA_\w+|NVIDIA_\w+|ROCR_\w+|HIP_\w+|SLURM_JOB_ID|SLURM_ARRAY_\w+|ASSAY_\w+|CI|LD_LIBRARY_PATH|LD_PRELOAD)$/

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|PRIVATE|SESSION/i

/** `scheme://user:password@host`: the part before the `@` is nobody's business. */
const credentials = /([a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/gi

/** The environment as it is recorded: an allow-list plus the names asked for; what looks secret is masked. */
export function recordedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  asked: readonly string[],
): Record<string, string> {
  const names = Object.keys(env).filter(name => usual.test(name) || asked.includes(name))
  return Object.fromEntries(names.sort().map(name => [name, masked(name, env[name] ?? '')]))
}

/** A command line as it is recorded: `--set api_key=…` loses its value, and `--set=api_key=…` too. */
export function recordedArguments(argv: readonly string[]): string[] {
  return argv.map(argument => {
    const parts = argument.split('=')
    const secret = parts.slice(0, -1).findIndex(name => secretName.test(name))
    return secret < 0 ? withoutCredentials(argument) : `${parts.slice(0, secret + 1).join('=')}=(masked)`
  })
}

const masked = (name: string, value: string): string => (secretName.test(name) ? '(masked)' : withoutCredentials(value))

const withoutCredentials = (text: string): string => text.replace(credentials, '$1(masked)@')
