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

/** A command line as it is recorded: `--set api_key=…` loses its value. */
export function recordedArguments(argv: readonly string[]): string[] {
  return argv.map(argument => {
    const [name = '', ...value] = argument.split('=')
    return value.length === 0 ? masked('', argument) : `${name}=${masked(name, value.join('='))}`
  })
}

function masked(name: string, value: string): string {
  return secretName.test(name) ? '(masked)' : value.replace(credentials, '$1(masked)@')
}
