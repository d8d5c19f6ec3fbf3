import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../src/cli/command-line/read-command-line.ts'
import type { CommandSpec } from '../../src/cli/tables/commands/command.ts'
import { lookCommands } from '../../src/cli/tables/commands/look-commands.ts'
import { runCommands } from '../../src/cli/tables/commands/run-commands.ts'
import { searchCommands } from '../../src/cli/tables/commands/search-commands.ts'
import { AssayError } from '../../src/util/errors.ts'
import { fakeIo } from './fake-io.ts'

const load = async () => async () => 0
const commands: readonly CommandSpec[] = [
  { name: 'run', ...runCommands.run, load },
  { name: 'plan', ...runCommands.plan, load },
  { name: 'worker', ...searchCommands.worker, load },
  { name: 'collect', ...lookCommands.collect, load },
]

function read(line: string | readonly string[], env: Record<string, string> = {}) {
  const call = readCommandLine(fakeIo(line, { env }), commands)
  if (call.kind === 'print') throw new Error('expected a command')
  return { command: call.command.name, args: call.args, options: call.options }
}

function refusal(line: string, env: Record<string, string> = {}) {
  try {
    read(line, env)
  } catch (error) {
    if (error instanceof AssayError) return { code: error.code, message: error.message, hint: error.hint }
  }
  throw new Error('expected a refusal')
}

describe('a command line', () => {
  it('returns the command, its arguments and its options as values', () => {
    expect(read('run sweep.yaml -j4 -n --timeout 1h30m --halt fail=10% --shard 2/5 --seeds 1..3 -vv')).toEqual({
      command: 'run',
      args: ['sweep.yaml'],
      options: {
        jobs: 4,
        dryRun: true,
        timeout: 5_400_000,
        halt: { share: 0.1 },
        shard: { index: 2, count: 5 },
        seeds: [1, 2, 3],
        verbose: 2,
      },
    })
  })

  it("accepts the spellings of Cascade's sweep runner", () => {
    const line = '--config smoke.json --exp_name a --out_root=b_c --jobs 2 --dry_run --resume --fail_fast --limit 3'
    expect(read(`run ${line}`).options).toEqual({
      config: 'smoke.json',
      expName: 'a',
      outRoot: 'b_c',
      jobs: 2,
      dryRun: true,
      resume: true,
      failFast: true,
      first: 3,
    })
    expect(read('collect --exp_dir a_b --out_csv c_d.csv').options).toEqual({ expDir: 'a_b', outCsv: 'c_d.csv' })
    expect(read('agent results/x --count 3').command).toBe('worker')
  })

  it("treats options without a command as those of run, as in Cascade's command lines", () => {
    expect(read('--dry_run')).toEqual({ command: 'run', args: [], options: { dryRun: true } })
    expect(read('--jobs 2 --resume --fail_fast').command).toBe('run')
    expect(read('--config run').options).toEqual({ config: 'run' })
    expect(refusal('--jbos 3')).toMatchObject({ hint: 'Did you mean --jobs?' })
    expect(refusal('--json plan')).toMatchObject({ message: "unknown option '--json'" })
  })

  it('accepts an unambiguous prefix of an option, like argparse', () => {
    expect(read('--conf smoke.json --exp_n a --out_r b --job 2 --dry --resu --fail_f').options).toEqual({
      config: 'smoke.json',
      expName: 'a',
      outRoot: 'b',
      jobs: 2,
      dryRun: true,
      resume: true,
      failFast: true,
    })
    expect(read('collect --exp_d a --out_c=b.csv').options).toEqual({ expDir: 'a', outCsv: 'b.csv' })
    // Of several options it is the one that the original has: it has no --json.
    expect(read('run --j 3').options).toEqual({ jobs: 3 })
    // It is not an option of another command.
    expect(refusal('collect --dry').message).toBe("unknown option '--dry'")
    expect(refusal('run --s 3').message).toBe("unknown option '--s'")
  })

  it('collects repeatable options and keeps values unchanged, even those that look like options', () => {
    const line = ['run', '--set', 'a_b=1,2', '--set', 'c=--d_e', '--filter', 'x > 1', '--note', '--odd_note']
    expect(read(line).options).toEqual({ set: ['a_b=1,2', 'c=--d_e'], filter: ['x > 1'], note: '--odd_note' })
  })

  it('takes missing options from the environment', () => {
    const env = { ASSAY_JOBS: '3', ASSAY_OUT_ROOT: 'elsewhere', ASSAY_YES: '0' }
    expect(read('run', env).options).toEqual({ jobs: 3, outRoot: 'elsewhere', yes: false })
    expect(read('run -j 5', env).options.jobs).toBe(5)
  })

  it.each([
    ['run --jbos 3', "unknown option '--jbos'", 'Did you mean --jobs?'],
    ['run --dry_rum', "unknown option '--dry-rum'", 'Did you mean --dry-run?'],
    ['rum', "unknown command 'rum'", 'Did you mean run?'],
    ['help rum', "unknown command 'rum'", 'Did you mean run?'],
    ['help topics', "unknown command 'topics'", 'assay --help shows what there is.'],
    ['sweep.yaml', "unknown command 'sweep.yaml'", 'did you mean: assay run sweep.yaml'],
    ['run -j 0', '--jobs: expected a whole number from 1, got "0"', undefined],
    ['run --jobs=-1', '--jobs: expected a whole number from 1, got "-1"', undefined],
    ['run --first -1', '--first: expected a whole number from 1, got "-1"', undefined],
    ['run --retries -1', '--retries: expected a whole number from 0, got "-1"', undefined],
    ['run --timeout soon', '--timeout: expected a duration such as 90s, 30m or 1h30m, got "soon"', undefined],
    ['run --stale maybe', '--stale: expected rerun or keep, got "maybe"', undefined],
    [
      'run --executor moon',
      '--executor: expected local, queue, slurm, ssh, skypilot, modal, aws-batch or kubernetes, got "moon"',
      undefined,
    ],
    [
      'run --order lsited',
      '--order: expected interleaved, listed or shuffled, got "lsited"; did you mean "listed"?',
      undefined,
    ],
    ['run --budget x', '--budget: expected an amount in USD such as 20 or 0.50, got "x"', undefined],
    ['run --shard 6/5', '--shard: expected a part such as 2/5, the second of five, got "6/5"', undefined],
    [
      'run a b',
      "too many arguments for 'run'. Expected 1 argument but got 2: a, b.",
      'assay run --help shows what there is.',
    ],
    [
      'worker a b',
      "too many arguments for 'worker'. Expected 1 argument but got 2: a, b.",
      'assay worker --help shows what there is.',
    ],
  ])('refuses %s', (line, message, hint) => {
    expect(refusal(line)).toEqual({ code: 'usage', message, hint })
  })

  it('names the environment variable that has an error', () => {
    expect(refusal('run', { ASSAY_JOBS: 'many' }).message).toBe(
      'ASSAY_JOBS: expected a whole number from 1, got "many"',
    )
  })
})

describe('help', () => {
  const help = (line: string) => {
    const call = readCommandLine(fakeIo(line), commands)
    return call.kind === 'print' ? call.text : ''
  }

  it('shows the options of a command in groups, and examples', () => {
    expect(help('help run')).toMatchInlineSnapshot(`
      "Usage: assay run [options] [config]

      Run everything that is missing.
      The same command again runs what is pending or was interrupted, and reuses
      finished runs. Failed runs stay failed until --retry-failed.

      Arguments:
        config                             a configuration file or an experiment
                                           directory (default: experiment.yaml, .json
                                           or .toml here, then batch-config.yaml, then
                                           bench/experiments/default.json)

      Selection:
        -c, --config <file>                the experiment file; -c can be left out
                                           (ASSAY_CONFIG)
        -n, --dry-run                      show the plan and run nothing, like "assay
                                           plan"
        --set <key=value>                  change a setting or the levels of a factor,
                                           e.g. limits.jobs=4 or policy=fifo,full
                                           (repeatable)
        --seeds <list>                     use these seeds instead of those of the
                                           experiment: 1..15 or 1,2,5
        --filter <expression>              only matching runs, e.g. policy=full or
                                           'workflows > 50'; several filters must all
                                           match (repeatable)
        --first <n>                        only the first n runs of the plan
        --shard <i/n>                      only part i of n; a run always belongs to
                                           the same part
        --order <order>                    the order of runs: interleaved by block
                                           (drift affects all variants equally), as
                                           listed, or shuffled (interleaved, listed,
                                           shuffled)
        --branch-from <run:turn>           continue from this turn of a scenario's
                                           run: a run of the batch, or the folder of
                                           any run

      Earlier results:
        --resume                           also read results that Cascade's sweep
                                           runner left in the directory; finished runs
                                           are always reused
        --retry-failed                     also rerun what failed or timed out
        --rerun <run>                      also rerun this run, even if it completed;
                                           quarantined: every quarantined run
                                           (repeatable)
        --fresh                            rerun everything; earlier attempts are kept
        --again                            start a new dated series of the same
                                           experiment
        --stale <rerun|keep>               what to do with results of a different
                                           command or input (rerun, keep)

      Limits:
        -j, --jobs <n>                     how many runs at once (ASSAY_JOBS)
        --timeout <duration>               the time limit of an attempt: 90s, 30m,
                                           1h30m (ASSAY_TIMEOUT)
        --budget <usd>                     the most that the whole experiment may cost
                                           (ASSAY_BUDGET)
        --run-budget <usd>                 the most that one run may cost
                                           (ASSAY_RUN_BUDGET)
        --run-calls <n>                    how many model calls one run may make
        --run-tokens <n>                   how many tokens one run's calls may take
        --rate <provider=rate>             the rate limit of a provider, per key, e.g.
                                           openai=500rpm,200000tpm or sim=4 at once
                                           (repeatable)
        --fail-on-rate-limit               stop when a provider reports too many
                                           requests, instead of waiting

      Models:
        --rehearse                         simulate every model at its real price, in
                                           a separate directory, to see what the run
                                           would cost
        --record <folder>                  record every answer in this folder, for
                                           --replay
        --replay <folder>                  take every answer from this recording; no
                                           model is called
        --no-cache                         ignore cached answers
        --no-trace                         write no traces of model calls
        --no-trace-content                 leave prompts and answers out of traces
        --otlp <address>                   send spans to this OTLP address during the
                                           run, e.g. http://127.0.0.1:4318; env: use
                                           OTEL_EXPORTER_OTLP_*
        --otlp-in                          add the spans that a command sends to its
                                           run's trace
        --models <file>                    a file with settings of models: prices,
                                           other addresses, simulated ones
        --strategy <names>                 context strategies: raw,
                                           observation_masking, llm_summary, hybrid,
                                           or the path of a module
        --summarizer-model <name>          the model that writes summaries; same: the
                                           agent’s own (the default)
        --hp-obs-n <n>                     how many of the newest outputs stay
                                           readable (10)
        --hp-obs-polling <n>               mask more outputs only every n outputs (1)
        --hp-sum-n <n>                     how many turns a summary covers (21)
        --hp-sum-keep-m <n>                how many of the newest turns stay out of
                                           summaries (10)
        --hp-sum-static-checkpoint <b>     show only the newest summary: true, false
                                           or legacy (true)
        --hp-sum-extract-actions <b>       end each summary with a list of commands
                                           (false)
        --hp-sum-max-action-length <n>     the most words of each command in that
                                           list; -1: all (-1)
        --hp-sum-max-reasoning-length <n>  the most words of each message that the
                                           summarizer sees; -1: all (-1)
        --hp-sum-omit-turns <bool>         leave turns out without summarizing them
                                           (false)

      Agent:
        --instances <path>                 task folders, or a SWE-bench .jsonl file,
                                           instead of what a file or subset names
        --instances-subset <name>          take instances/<name>.jsonl or the tasks in
                                           instances/<name> (verified, verified-mini,
                                           lite)
        --instances-slice <slice>          which instances, as a Python slice: :5,
                                           10:20, ::2
        --instances-filter <name>          only instances whose id matches this
                                           regular expression from its start
        --instances-shuffle <true|false>   shuffle the instances, as Python does
        --instances-shuffle-seed <n>       the seed of --instances-shuffle (42)
        --call-limit <n>                   the most calls that the agent may make for
                                           an instance (250; 0: no limit)
        --cost-limit <n>                   the most that its calls for an instance may
                                           cost in USD, at list price (0: no limit)
        --model <name>                     the model of the built-in agent, without a
                                           file

      Tasks:
        -k, --rollouts <n>                 how often each task is run, by each variant
        --sandbox <backend>                how runs of tasks are isolated; process:
                                           not at all (auto, docker, podman,
                                           bubblewrap, process)
        --provided <step>                  a step of Dockerfiles that this machine
                                           makes unnecessary, as a pattern; repeatable
                                           (repeatable)
        --agent <name>                     the agent: assay, codex, claude, aider,
                                           gemini, oracle, nop, or one that the
                                           experiment describes

      Failures:
        --retries <n>                      how often to retry a failed run
                                           (ASSAY_RETRIES)
        --halt <rule>                      start no more runs after this many
                                           failures: fail=3 or fail=10%
        --fail-fast                        cancel everything at the first failure
        --keep-going                       never stop because of failures, even if the
                                           first runs all fail; overrides halt rules
        --require <pass=share>             exit with 1 unless this share of the runs
                                           passes: pass=95%

      Machines:
        --executor <name>                  where runs are executed: on this machine,
                                           by the workers of a queue, by a Slurm
                                           cluster, or by workers that are started
                                           over ssh or by a launcher of a cloud
                                           (local, queue, slurm, ssh, skypilot, modal,
                                           aws-batch, kubernetes)
        --queue <address>                  the server that hands runs to workers on
                                           other machines: postgres://… or redis://…;
                                           ASSAY_QUEUE keeps a password out of the
                                           command line (ASSAY_QUEUE)
        --label <name>                     a label of this machine, e.g. docker:
                                           experiments ask for it with \`needs\`
                                           (repeatable)
        --artifacts <s3://bucket/folder>   with workers on other machines: where they
                                           store files that are too large to come
                                           back; the keys are those of each worker's
                                           environment
        --folder <folder>                  where the files of experiments are on this
                                           machine (default: this folder)
        --hosts <a,b=8>                    ssh: the machines that get a worker, and
                                           how many runs each executes at once
                                           (default: its CPUs)
        --launch <key=value>               an option of the launcher skypilot, modal,
                                           aws-batch or kubernetes, e.g. workers=4 or
                                           image=me/assay (repeatable)
        --skypilot                         the same as --executor skypilot
        --remote-assay <command>           ssh and launchers: how assay is started
                                           there (default: assay)
        --ssh-config <file>                ssh: a configuration file instead of the
                                           user's own
        --partition <name>                 Slurm: the partition
        --time <duration>                  Slurm: the time limit of an array task,
                                           e.g. 2h or Slurm's own 1-12:00:00
        --mem <size>                       Slurm: memory of an array task, e.g. 8G
        --gpus <n>                         GPUs of an array task of Slurm, or of a
                                           machine of SkyPilot
        --sbatch <option>                  Slurm: another option of sbatch, e.g.
                                           --sbatch '--account=lab' (repeatable)
        --before <command>                 Slurm: a shell command on the node before
                                           assay starts, e.g. 'module load nodejs'
                                           (repeatable)
        --chunk <n>                        Slurm: runs of one array task, one after
                                           the other (default: enough for about 20
                                           seconds)
        --array-limit <n>                  Slurm: array tasks that may run at once
                                           (default: no limit)

      Output:
        --out-root <folder>                the folder that holds the experiment
                                           directories (ASSAY_OUT_ROOT)
        --exp-name <name>                  use another name for the experiment
        --tag <tag>                        a tag to find these runs by (repeatable)
        --note <text>                      a sentence kept with the experiment or run
        --tracker                          accepted for compatibility: everything is
                                           recorded anyway
        --run-group <name>                 stored as the tag group:name
        --tags <tag>                       stored as tags (repeatable)
        --weave                            accepted for compatibility: calls are
                                           traced, unless --no-weave
        --weave-project <name>             accepted for compatibility, no effect
        --execution <how>                  accepted for compatibility: metrics and
                                           traces are kept either way (inprocess,
                                           subprocess)
        -p, --project <name>               stored as the tag project:name; filters a
                                           list
        -e, --entity <name>                stored as the tag entity:name; filters a
                                           list

      Display:
        --watch                            when a file of the experiment is saved, run
                                           what that changed and show what flipped
        --json                             print JSON, for programs
        -q, --quiet                        only failures and the summary
        -v, --verbose                      print more; -vv prints even more
        -y, --yes                          answer yes to every question (ASSAY_YES)

      Options:
        -h, --help                         print help

      Examples:
        assay run                                                  the experiment in this folder
        assay run sweep.yaml -j 8                                  eight runs at a time
        assay run sweep.yaml --retry-failed                        failed runs too
        assay run sweep.yaml --seeds 1..15 --set policy=fifo,full  with other seeds and levels
        assay run sweep.yaml --shard 2/5                           the second of five parts
        assay run prompts.yaml --require pass=95%                  for CI: exit 1 unless 95% of the runs pass
        assay run prompts.yaml --watch                             run what a saved prompt or case changes, and show what flipped
      "
    `)
  })

  it('is the same in every form', () => {
    expect(help('run --help')).toBe(help('help run'))
    expect(help('')).toBe(help('--help'))
  })

  it('lists the commands in groups', () => {
    expect(help('--help')).toMatchInlineSnapshot(`
      "Usage: assay <command> [options]

      Runs experiments over agents, models and simulations, and tells you which
      conclusions the data supports.

      Options:
        -V, --version  print the version
        -h, --help     print help

      Run:
        run            run everything that is missing
        plan           show what would run, without running it

      Look:
        collect        write one row per run: parameters, metrics, outcome

      Search:
        worker         take runs of an experiment and execute them

      More:
        help           print help for a command

      For more about a command: assay help <command>
      "
    `)
  })
})
