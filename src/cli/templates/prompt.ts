import type { Template } from '../../define/dialects/for-help.ts'

const experiment = `# yaml-language-server: $schema=@schema@
name: first-prompts
description: Which prompt is better on my cases, with which model, and at what cost?

# What a run does: asks a model, and holds its answer to what is asserted.
target:
  kind: prompt
  # {{variables}} are filled in from the cases; file://prompt.txt reads a prompt from a file.
  prompts:
    short: "Capital of {{country}}?"
    careful: "You are a geographer. Which city is the capital of {{country}}? Answer with its name only."
  # These two are simulated: no key, nothing is paid. Others: gpt-4o-mini, claude-haiku-4-5, … (assay models list).
  models: [sim/quick, sim/good]
  # A row is a case; every prompt and model gets all of them.
  tests: cases.csv
  # What a good answer is: contains, regex, json-path, a function of yours, a judge, …
  assert:
    - { type: icontains, value: "{{capital}}" }
  # The longest answer. It is set aside before a call, so a smaller one makes the budget reach further.
  max_output_tokens: 100

replicates: 3

limits:
  jobs: 4
  # What may be spent in all; it can't be passed.
  budget_usd: 1

# How the simulated models answer. Real ones need nothing here.
models:
  sim/quick:
    price: { input: 0.15, output: 0.60 }
    rules:
      - { contains: geographer, chance: 0.8, answer: "Paris, Tokyo, Lima, Oslo, Nairobi, Santiago" }
      - { answer: Paris }
  sim/good:
    price: { input: 2.50, output: 10 }
    rules:
      - { answer: "Paris, Tokyo, Lima, Oslo, Nairobi, Santiago" }
`

const cases = `country,capital
France,Paris
Japan,Tokyo
Peru,Lima
Norway,Oslo
Kenya,Nairobi
Chile,Santiago
`

export const promptTemplate: Template = {
  name: 'prompt',
  summary: 'compare prompts and language models on cases of your own',
  config: 'experiment.yaml',
  files: [
    { path: 'experiment.yaml', text: experiment },
    { path: 'cases.csv', text: cases },
  ],
}
