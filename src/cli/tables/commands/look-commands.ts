import type { CommandRow } from './command.ts'

export const lookCommands = {
  collect: {
    group: 'Look',
    summary: 'write one row per run: parameters, metrics, outcome',
    arguments: [{ name: '[dir]', description: 'the experiment directory' }],
    options: ['expDir', 'outCsv', 'format'],
    own: { format: { choices: ['csv', 'jsonl'] } },
    examples: [
      ['collect results/sweep', 'writes results/sweep/aggregate/runs.csv'],
      ['collect results/sweep --format jsonl --out-csv -', 'to standard output'],
    ],
  },
  report: {
    group: 'Look',
    summary: 'write the report: one page with the answer, every chart and every run',
    description:
      'The page is one file that opens from disk: it asks nobody for anything, and computes intervals anew when the reader changes metric, baseline, confidence or filter; docs/report.md explains every part. --format writes the same as Markdown, JSON, CSV, JUnit XML or pictures.',
    arguments: [
      {
        name: '[sources...]',
        description:
          'experiment directories, configuration files, or tables (.csv, .jsonl); several experiments make `experiment` a factor, shards and copies are one',
      },
    ],
    options: [
      'format',
      'output',
      'outDir',
      'expDir',
      'runsCsv',
      'metric',
      'control',
      'alpha',
      'filter',
      'group',
      'pairBy',
      'run',
      'step',
      'outRoot',
    ],
    own: {
      format: {
        description: 'the page (default), its text, its numbers, or its charts',
        choices: ['html', 'md', 'comment', 'json', 'csv', 'junit', 'svg', 'png'],
      },
    },
    examples: [
      ['report results/sweep', 'writes results/sweep/report/index.html'],
      ['report results/sweep --format md --output -', 'the same as Markdown, to standard output'],
      ['report results/sweep --control policy=full --metric cost_usd', 'another baseline and metric to begin with'],
      ['report --exp_dir bench_runs/smoke', 'as the original sweep runner has it, with its three charts in assets/'],
    ],
  },
  export: {
    group: 'Look',
    summary: 'write runs, series or traces for other tools: CSV, JSONL, Parquet, OTLP',
    description:
      'Parquet is for pandas, Polars and DuckDB; OTLP is for collectors and viewers of traces. The file goes into the folder export/ of the experiment unless --output says otherwise; - is standard output.',
    arguments: [{ name: '[dir]', description: 'the experiment directory' }],
    options: ['what', 'format', 'output', 'expDir'],
    own: {
      format: {
        description: 'how it is written: traces as otlp or jsonl, everything else as parquet, csv or jsonl',
        choices: ['parquet', 'csv', 'jsonl', 'otlp'],
      },
    },
    examples: [
      ['export results/sweep', 'writes results/sweep/export/runs.parquet'],
      ['export results/sweep --what series --format csv --output -', 'every reported value, to standard output'],
      ['export results/prompts --format otlp', 'the calls of models, as OpenTelemetry collectors take them'],
    ],
  },
  serve: {
    group: 'Look',
    summary: 'show the experiments under a folder in the browser, live',
    description:
      'The report of every experiment, kept up to date while it runs, with progress, spend, the machine, running runs and buttons to pause, resume and stop. Only this machine can ask, unless --host names another address; then a token is needed, which is printed. Until Ctrl-C; docs/dashboard.md says more.',
    arguments: [
      { name: '[root]', description: 'the folder that experiments are looked for in (results, or else here)' },
    ],
    options: ['port', 'host', 'open'],
    examples: [
      ['serve', 'what is under results/, or here'],
      ['serve results --port 8080', 'where to listen; the next free port if it is taken'],
      ['serve /data/results --host 0.0.0.0', 'from other machines too, with a token'],
    ],
  },
} as const satisfies Record<string, CommandRow>
