import { describe, expect, it } from 'vitest'
import { overrideProblems, withOverrides } from '../../../../src/targets/scenario/formats/overrides.ts'
import { readScenario } from '../../../../src/targets/scenario/formats/read-scenario.ts'
import { assembleFiles } from '../../../../src/targets/scenario/formats/scenario-files.ts'
import type { Json, JsonObject } from '../../../../src/util/json.ts'
import { folderWith } from '../../../support/assay.ts'
import { harbour } from '../support.ts'

function files() {
  const { files: found } = readScenario('scenarios/harbour', folderWith(harbour()))
  if (found === null) throw new Error('no scenario')
  return found
}

const played = (params: JsonObject) => assembleFiles(withOverrides(files(), params).files).scenario
const problemOf = (name: string, value: Json) =>
  overrideProblems(files(), name, value).map(({ message, hint }) => [message, hint])

describe('parameters of a run', () => {
  it('override any key of an actor, of the scenario and of a metric, in a copy', () => {
    const original = files()
    const { files: changed, problems } = withOverrides(original, {
      scenario: 'scenarios/harbour',
      'actors.port.model': 'sim/other',
      'actors.shipper.goals': ['Leave'],
      'scenario.num_turns': 7,
      'scenario.features.communications.enabled': false,
      'metrics.dues.aggregation': 'max',
      initial_world_state: { append: 'A storm comes.' },
    })
    expect(problems).toEqual([])
    expect(assembleFiles(changed).scenario).toMatchObject({
      ...{
        turns: 7,
        talks_per_turn: 0,
        initial_world_state: expect.stringMatching(/^The port[\s\S]*A storm comes\.$/),
      },
      actors: [{ model: 'sim/other' }, { goals: ['Leave'] }],
      metrics: [{ aggregation: 'max' }, {}],
    })
    expect(assembleFiles(original).scenario).toMatchObject({ turns: 3, actors: [{ model: 'sim/firm' }, {}] })
  })

  it('can replace the whole initial state', () => {
    expect(played({ initial_world_state: 'All is well.' })).toMatchObject({ initial_world_state: 'All is well.' })
  })

  it.each([
    ['actors.prt.model', 'x', 'there is no actor "prt"', 'did you mean "port"?'],
    ['actors.port.modle', 'x', 'there is no key "modle" in the file of port', 'did you mean "model"?'],
    ['scenario.trns', 3, 'there is no key "trns" in scenario.yaml', 'did you mean "turns"?'],
    ['metrics.due.aggregation', 'max', 'there is no metric "due"', 'did you mean "dues"?'],
    ['actors.port.short_name', 'x', 'a short name identifies an actor and must not vary', undefined],
    ['model', 'x', '"model" changes nothing in a scenario', expect.stringContaining('name a path')],
    [
      'initial_world_stat',
      'x',
      '"initial_world_stat" changes nothing in a scenario',
      'did you mean "initial_world_state"?',
    ],
  ])('%s is refused', (name, value, message, hint) => {
    expect(problemOf(name, value)).toEqual([[message, hint]])
  })

  it.each([
    ['scenario.turns', 0, 'scenario.yaml  turns: expected a whole number of turns above 0, got 0'],
    ['scenario.turns.x', 3, '"scenario.turns.x" leads nowhere: there is no map at a part of this path'],
    [
      'scenario.features.comunications',
      {},
      expect.stringContaining('unknown key "comunications"; did you mean "communications"?'),
    ],
    ['actors.port.goals', 3, expect.stringContaining('actors/port.yaml  goals: expected a list of texts')],
  ])('refuses %s = %j', (name, value, message) => {
    expect(problemOf(name, value).map(([text]) => text)).toEqual([message])
  })
})
