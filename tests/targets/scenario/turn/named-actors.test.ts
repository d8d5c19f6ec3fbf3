import { describe, expect, it } from 'vitest'
import { actorOf } from '../../../../src/targets/scenario/formats/actor-schema.ts'
import { actorNamed, actorsListed } from '../../../../src/targets/scenario/turn/named-actors.ts'

const anActor = (short_name: string, name: string) => actorOf({ name, short_name })

const scenario = {
  actors: [
    anActor('acme', 'Acme, Inc.'),
    anActor('bw', 'Black and White'),
    anActor('town', 'Town (old quarter)'),
    anActor('jp', '日本 代表'),
  ],
}

describe('the actor that an answer names', () => {
  it.each([
    ['Acme, Inc.', 'acme'],
    ['**acme inc**', 'acme'],
    ['ACME', 'acme'],
    ['Acme, Inc. (the supplier)', 'acme'],
    ['Town (old quarter)', 'town'],
    ['日本 代表', 'jp'],
    ['Acme and Town', null],
    ['', null],
  ])('%s is %s', (name, actor) => expect(actorNamed(name, scenario)).toBe(actor))
})

describe('a list of actors', () => {
  const actors = (text: string) => actorsListed(text, scenario).map(({ actor, written }) => actor ?? `? ${written}`)

  it('may have names that contain commas and "and"', () => {
    expect(actors('Acme, Inc., Black and White and 日本 代表')).toEqual(['acme', 'bw', 'jp'])
    expect(actors('- Town (old quarter)\n- Acme (us), bw; jp.')).toEqual(['town', 'acme', 'bw', 'jp'])
  })

  it('reports unknown names', () => {
    expect(actors('Acme, Inc., Zoe, jp')).toEqual(['acme', '? Zoe', 'jp'])
    expect(actors(' , ; ')).toEqual([])
  })
})
