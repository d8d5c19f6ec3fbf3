import type { Template } from '../../define/dialects/for-help.ts'

const batch = `# Which model negotiates better, and for which side? Written as Scenario Lab's batch configurations are.
experiment_name: "First negotiation"
description: "Compare two models on both sides of a negotiation"

base_scenario: "scenarios/street-market"

runs_per_variation: 5      # run each variation 5 times
max_parallel: 2            # at most 2 runs at once
timeout_per_run: 600       # seconds

budget_limit: 1.00         # in USD, for the whole batch; it can't be passed
cost_per_run_limit: 0.10   # in USD, ends a run that would cost more

# All combinations: 2 × 2 = 4 variations × 5 runs = 20 runs.
variations:
  - type: "actor_model"
    actor: "traders"
    values: ["sim/stubborn", "sim/flexible"]
  - type: "actor_model"
    actor: "council"
    values: ["sim/stubborn", "sim/flexible"]

output_dir: "experiments/first-negotiation"

# These models are simulated: no key, nothing is paid. Others: openai/gpt-4o-mini, … (assay models list).
assay:
  models: models.yaml
`

const scenario = `name: Street market
initial_world_state: |
  The council wants to close the street market at noon, because of the noise. The traders want to stay until the evening.
turn_duration: 1 week
turns: 3
actors: [council, traders]
# Tells what becomes of the world after the actions of a turn.
world_state_model: sim/narrator
# When a run is a success; without it, when it reaches its last turn.
success: agreement == 1
`

const council = `name: City council
short_name: council
llm_model: sim/flexible
system_prompt: You speak for the city council.
goals: [quiet afternoons, a lively square]
private_information: [the council would accept four o'clock]
`

const traders = `name: Traders' association
short_name: traders
llm_model: sim/flexible
system_prompt: You speak for the traders of the market.
goals: [long opening hours]
private_information: [most sales are made before four o'clock]
`

const metrics = `metrics:
  closing_hour:
    description: When the market closes
    extraction_method: regex
    pattern: "closes at (\\\\d+)"
    type: int
  agreement:
    description: Whether both sides agreed
    # The narrator ends each turn with a line that has this value.
    extraction_method: line
    type: bool
`

const models = `# How the simulated models act. Real ones need nothing here.
sim/stubborn:
  price: { input: 0.5, output: 2 }
  max_output: 200
  rules:
    - { purpose: talk, answer: "**TALK:** no\\n**ANSWER:** No." }
    - { in: system, contains: [city council], chance: 0.8, answer: "**ACTION:** The council proposes 12 o'clock." }
    - { in: system, contains: [city council], answer: "**ACTION:** The council proposes 16 o'clock." }
    - { chance: 0.8, answer: "**ACTION:** The traders propose 20 o'clock." }
    - { answer: "**ACTION:** The traders propose 16 o'clock." }
sim/flexible:
  price: { input: 0.2, output: 0.8 }
  max_output: 200
  rules:
    - { purpose: talk, answer: "**TALK:** no\\n**ANSWER:** Perhaps." }
    - { in: system, contains: [city council], chance: 0.7, answer: "**ACTION:** The council proposes 16 o'clock." }
    - { in: system, contains: [city council], answer: "**ACTION:** The council proposes 12 o'clock." }
    - { chance: 0.7, answer: "**ACTION:** The traders propose 16 o'clock." }
    - { answer: "**ACTION:** The traders propose 20 o'clock." }
sim/narrator:
  price: { input: 0.1, output: 0.4 }
  max_output: 300
  rules:
    - matches: ".*council proposes 16 o'clock.*traders propose 16 o'clock.*(?<line>METRICS#\\\\w+):"
      answer: "**UPDATED WORLD STATE:** Both sides agree: the market closes at 16 o'clock.\\n{line}: agreement=yes"
    - matches: ".*council proposes (?<hour>\\\\d+) o'clock.*(?<line>METRICS#\\\\w+):"
      answer: "**UPDATED WORLD STATE:** The council insists that the market closes at {hour} o'clock.\\n{line}: agreement=no"
    - { answer: "**UPDATED WORLD STATE:** Nothing changes." }
`

export const scenarioTemplate: Template = {
  name: 'scenario',
  summary: 'let models negotiate in a scenario, many times, under a budget',
  config: 'batch-config.yaml',
  files: [
    { path: 'batch-config.yaml', text: batch },
    { path: 'models.yaml', text: models },
    { path: 'scenarios/street-market/scenario.yaml', text: scenario },
    { path: 'scenarios/street-market/actors/council.yaml', text: council },
    { path: 'scenarios/street-market/actors/traders.yaml', text: traders },
    { path: 'scenarios/street-market/metrics.yaml', text: metrics },
  ],
}
