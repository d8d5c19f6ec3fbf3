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
      'The page is one file that opens from disk and makes no network requests. It recomputes intervals when the reader changes metric, baseline, confidence or filter. docs/report.md explains every part. --format writes the same content as Markdown, JSON, CSV, JUnit XML or images.',
    arguments: [
      {
        name: '[sources...]',
        description:
          'experiment directories, configuration files, or tables (.csv, .jsonl). With several experiments, `experiment` is a factor; shards and copies of one experiment count as one',
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
      ['report results/sweep --control policy=full --metric cost_usd', 'starts with another baseline and metric'],
      ['report --exp_dir bench_runs/smoke', "as in Cascade's sweep runner, with its three charts in assets/"],
    ],
  },
  export: {
    group: 'Look',
    summary: 'write runs, series or traces for other tools: CSV, JSONL, Parquet, OTLP',
    description:
      'Parquet is for pandas, Polars and DuckDB; OTLP is for collectors and viewers of traces. The file is written to export/ in the experiment directory unless --output names another; - is standard output.',
    arguments: [{ name: '[dir]', description: 'the experiment directory' }],
    options: ['what', 'format', 'output', 'expDir'],
    own: {
      format: {
        description: 'file format: otlp or jsonl for traces, parquet, csv or jsonl for everything else',
        choices: ['parquet', 'csv', 'jsonl', 'otlp'],
      },
    },
    examples: [
      ['export results/sweep', 'writes results/sweep/export/runs.parquet'],
      ['export results/sweep --what series --format csv --output -', 'every reported value, to standard output'],
      ['export results/prompts --format otlp', 'model calls, for OpenTelemetry collectors'],
    ],
  },
  serve: {
    group: 'Look',
    summary: 'show the experiments under a folder in the browser, live',
    description:
      'Shows the report of every experiment and updates it during a run, with progress, cost, machine load, running runs, and buttons to pause, resume and stop. It accepts connections from this machine only, unless --host names another address; then it prints a token that clients need. Runs until Ctrl-C. See docs/dashboard.md.',
    arguments: [
      { name: '[root]', description: 'the folder to search for experiments (default: results, or this folder)' },
    ],
    options: ['port', 'host', 'open'],
    examples: [
      ['serve', 'everything under results/, or under this folder'],
      ['serve results --port 8080', 'listens on this port, or the next free one'],
      ['serve /data/results --host 0.0.0.0', 'accepts other machines too, with a token'],
    ],
  },
} as const satisfies Record<string, CommandRow>
