/** Text of the port that a page must not interpret. */
const hostile = '<img src=x onerror=alert(1)> <b>bold</b>\\e[31mred\\e[0m'

const actor = (name: string, model: string): string =>
  `name: ${name}
short_name: ${name.toLowerCase()}
llm_model: sim/${model}
system_prompt: You speak for ${name}.
goals: [what is good for ${name}]
`

/**
 * A small scenario about harbour dues: three actors, private talks, coalitions, two events, two metrics, and turns that
 * follow rules. A `soft` port does what a `firm` one does until turn 3, and then gives in.
 */
export const harbour: { readonly [path: string]: string } = {
  'harbour/scenario.yaml': `name: Harbour dues
description: Who pays for the quay?
initial_world_state: The quay is old. Dues are 100.
turn_duration: 1 month
turns: 4
actors: [port, carrier, town]
world_state_model: sim/narrator
summary_model: sim/narrator
enable_bilateral_communication: true
max_communications_per_turn: 1
enable_coalition_formation: true
success: agreement == true
`,
  'harbour/actors/port.yaml': actor('Port', 'firm'),
  'harbour/actors/carrier.yaml': actor('Carrier', 'carrier'),
  'harbour/actors/town.yaml': actor('Town', 'town'),
  'harbour/metrics.yaml': `metrics:
  - { name: trust, type: int, extraction_method: line, description: from 0 to 10 }
  - { name: agreement, type: bool, extraction_method: line }
`,
  'harbour/exogenous-events.yaml': `scheduled_events:
  - { name: storm, description: A storm damages the quay., turn: 2 }
`,
}

/** The models that play it, under `models:` of an experiment. */
export const harbourModels = `models:
  sim/firm:
    price: { input: 0.5, output: 2 }
    rules:
      - { purpose: talk, contains: opens a private talk, answer: "**ANSWER:** We will see." }
      - { purpose: talk, contains: 'This is turn 1', answer: "**TALK:** yes\\n**WITH:** Carrier\\n**MESSAGE:** Pay 120. ${hostile}" }
      - { purpose: talk, answer: "**TALK:** no" }
      - { purpose: coalition, contains: Do you join, answer: "**ACCEPT:** no\\n**REASON:** Not with them." }
      - { purpose: coalition, answer: "**PROPOSE:** no" }
      - { purpose: decision, matches: 'This is turn (\\d+)', answer: "**LONG-TERM GOALS:** A new quay.\\n**SHORT-TERM GOALS:** Dues.\\n**REASONING:** Month {1}.\\n**ACTION:** Keep dues at 100 in month {1}." }
  sim/soft:
    price: { input: 0.5, output: 2 }
    rules:
      - { purpose: talk, contains: opens a private talk, answer: "**ANSWER:** We will see." }
      - { purpose: talk, contains: 'This is turn 1', answer: "**TALK:** yes\\n**WITH:** Carrier\\n**MESSAGE:** Pay 120. ${hostile}" }
      - { purpose: talk, answer: "**TALK:** no" }
      - { purpose: coalition, contains: All have accepted, answer: "**MESSAGE:** Welcome." }
      - { purpose: coalition, matches: 'This is turn 4[\\s\\S]*Do you join', answer: "**ACCEPT:** yes\\n**REASON:** It is time." }
      - { purpose: coalition, contains: Do you join, answer: "**ACCEPT:** no\\n**REASON:** Not with them." }
      - { purpose: coalition, answer: "**PROPOSE:** no" }
      - { purpose: decision, matches: 'This is turn ([34])', answer: "**LONG-TERM GOALS:** Peace.\\n**SHORT-TERM GOALS:** A deal.\\n**REASONING:** Month {1}.\\n**ACTION:** Lower dues to 80 in month {1}." }
      - { purpose: decision, matches: 'This is turn (\\d+)', answer: "**LONG-TERM GOALS:** A new quay.\\n**SHORT-TERM GOALS:** Dues.\\n**REASONING:** Month {1}.\\n**ACTION:** Keep dues at 100 in month {1}." }
  sim/carrier:
    price: { input: 0.1, output: 0.4 }
    rules:
      - { purpose: talk, contains: 'Pay 120', answer: "**ANSWER:** 90 at most." }
      - { purpose: talk, answer: "**TALK:** no" }
      - { purpose: coalition, contains: All have accepted, answer: "**MESSAGE:** We share the costs." }
      - { purpose: coalition, contains: 'This is turn 4', answer: "**PROPOSE:** yes\\n**MEMBERS:** Port, Town\\n**PURPOSE:** A fund for the quay." }
      - { purpose: coalition, answer: "**PROPOSE:** no" }
      - { purpose: decision, answer: "**REASONING:** Cheap is good.\\n**ACTION:** Pay what is asked." }
  sim/town:
    price: { input: 0.1, output: 0.4 }
    rules:
      - { purpose: talk, answer: "**TALK:** no" }
      - { purpose: coalition, contains: All have accepted, answer: "**MESSAGE:** The town joins." }
      - { purpose: coalition, contains: Do you join, answer: "**ACCEPT:** yes\\n**REASON:** For the quay." }
      - { purpose: coalition, answer: "**PROPOSE:** no" }
      - { purpose: decision, answer: "**ACTION:** Wait." }
  sim/narrator:
    price: { input: 0.2, output: 0.8 }
    rules:
      - { purpose: world, matches: 'What the actors do in turn (\\d+)[\\s\\S]*Lower dues[\\s\\S]*(METRICS#\\w+):', answer: "**UPDATED WORLD STATE:** Ships come back. Month {1}.\\n**KEY CHANGES:** Lower dues.\\n**CONSEQUENCES:** More ships.\\n{2}: trust={integer 6..9}; agreement=yes" }
      - { purpose: world, matches: 'What the actors do in turn (\\d+)[\\s\\S]*(METRICS#\\w+):', answer: "**UPDATED WORLD STATE:** The quay crumbles. Month {1}.\\n**KEY CHANGES:** None.\\n**CONSEQUENCES:** Fewer ships.\\n{2}: trust={integer 2..5}; agreement=no" }
`

export const harbourExperiment = `name: dues
target: { kind: scenario, scenario: harbour }
factors:
  actors.port.model: [sim/firm, sim/soft]
replicates: 2
${harbourModels}`

/** The same, from turn 3 on of a run of it. */
export const branchExperiment = (run: string): string =>
  harbourExperiment
    .replace('name: dues', 'name: branch')
    .replace('scenario: harbour }', `scenario: harbour, branch_from: "results/dues/runs/${run}:2" }`)
