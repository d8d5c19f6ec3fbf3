import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, ModelAnswer, ModelCall } from '../../../src/models/model-call.ts'
import type { Actor, Scenario } from '../../../src/targets/scenario/scenario.ts'
import type { PlayedTurns } from '../../../src/targets/scenario/state/state.ts'
import { playTurn } from '../../../src/targets/scenario/turn/play-turn.ts'
import { seededRandom } from '../../../src/util/random.ts'

/** Every fact about an actor in a file, as a unique word. */
const secretsOf = (actor: number) =>
  [
    'prompt',
    'role',
    'description',
    'goal',
    'constraint',
    'expertise',
    'style',
    'voice',
    'trait',
    'ally',
    'private',
  ].map(field => `SECRET-${field}-of-${actor}.`)

function actorWith(number: number): Actor {
  const [
    system_prompt = '',
    role = '',
    description = '',
    goal = '',
    constraint = '',
    skill = '',
    style = '',
    voice = '',
    trait = '',
    ally = '',
    own = '',
  ] = secretsOf(number)
  return {
    ...{ name: `Actor ${number}`, short_name: `a${number}`, model: `m${number}`, system_prompt, role, description },
    ...{
      goals: [goal],
      constraints: [constraint],
      expertise: [skill],
      decision_style: style,
      communication_style: voice,
    },
    ...{ personality: [trait], preferred_coalitions: [ally], private_information: [own] },
  }
}

const scenarioWith = fc.record({
  actors: fc.integer({ min: 1, max: 5 }),
  turns: fc.integer({ min: 1, max: 5 }),
  context_window: fc.option(fc.integer({ min: 1, max: 3 })),
  talks_per_turn: fc.integer({ min: 0, max: 2 }),
  has_coalitions: fc.boolean(),
  has_metrics: fc.boolean(),
  seed: fc.nat(),
  /** Whether models are held to a schema. */
  isHeld: fc.boolean(),
})

const scenarioOf = ({
  actors,
  turns,
  context_window,
  talks_per_turn,
  has_coalitions,
  has_metrics,
}: Shape): Scenario => ({
  ...{
    name: 'S',
    description: '',
    system_prompt: 'All play.',
    background: '',
    initial_world_state: 'Begin.',
    turn_duration: '1 day',
  },
  ...{ turns, until: null, success: null, context_window, talks_per_turn, has_coalitions, events: [], checks: null },
  ...{ world_state_model: 'narrator', summary_model: 'historian' },
  actors: Array.from({ length: actors }, (_, at) => actorWith(at)),
  metrics: has_metrics
    ? [
        {
          ...{
            name: 'mood',
            description: '',
            type: 'float',
            unit: null,
            categories: [],
            range: null,
            aggregation: 'last',
          },
          ...{ warning: null, critical: null, from: { kind: 'each_actor' } },
          extraction: { kind: 'model', prompt: 'The mood?', model: 'reader' },
        },
      ]
    : [],
})

type Shape = typeof scenarioWith extends fc.Arbitrary<infer T> ? T : never

const wordsOf = ({ messages }: ModelCall): string => messages.map(({ content }: Message) => String(content)).join('\n')

describe('private information', () => {
  it('is only in prompts of its actor, and talks only in those of their two actors', async () => {
    await fc.assert(
      fc.asyncProperty(scenarioWith, async shape => {
        const scenario = scenarioOf(shape)
        const calls: ModelCall[] = []
        const random = seededRandom(shape.seed)
        /** Which actors may know a word that was said in private. */
        const audience = new Map<string, readonly string[]>()
        let said = 0
        const client = {
          async call(call: ModelCall): Promise<ModelAnswer> {
            calls.push(call)
            const word = `WORD-${++said}.`
            const speaker = scenario.actors.find(({ model }) => model === call.model)?.short_name ?? ''
            const other = `Actor ${random.integer(0, shape.actors - 1)}`
            const members = scenario.actors.map(({ name }) => name).filter(() => random.next() < 0.8)
            const answers: { readonly [purpose: string]: object } = {
              talk: { talk: random.next() < 0.7, with: other, message: word, answer: word },
              coalition: {
                propose: random.next() < 0.7,
                members: members.join(', '),
                purpose: word,
                accept: random.next() < 0.9,
                reason: word,
                message: word,
              },
              decision: { long_term_goals: word, short_term_goals: word, reasoning: word, action: 'acts' },
              world: { state: 'The world turns.', key_changes: '', consequences: '' },
            }
            if (call.purpose === 'decision') audience.set(word, [speaker])
            const text = JSON.stringify(answers[call.purpose] ?? { value: '5', summary: 'It went on.' })
            const usage = {
              input_tokens: 1,
              cached_input_tokens: 0,
              cache_write_tokens: 0,
              output_tokens: 1,
              reasoning_tokens: 0,
            }
            return {
              ...{
                text,
                value: shape.isHeld ? JSON.parse(text) : undefined,
                tool_calls: [],
                reasoning: [],
                finish: 'stop',
                usage,
              },
              ...{
                cost_usd: 0,
                cost_from: 'simulated',
                saved_usd: null,
                latency_ms: 0,
                model_id: call.model,
                provider: 'sim',
              },
              ...{ tries: 1, is_cached: false },
            }
          },
        }
        let played: PlayedTurns = { seed: shape.seed, initial_world_state: 'Begin.', branched_from: null, turns: [] }
        for (let turn = 1; turn <= shape.turns; turn++) {
          const parts = { client, signal: new AbortController().signal, takesSchema: () => shape.isHeld }
          const record = await playTurn(scenario, played, parts)
          for (const { from, to, message, answer } of record.talks)
            for (const word of [message, answer]) audience.set(word, [from, to])
          for (const { members, is_formed, messages } of record.coalitions)
            for (const { text } of is_formed ? messages : []) audience.set(text, members)
          played = { ...played, turns: [...played.turns, record] }
        }
        for (const call of calls) {
          const words = wordsOf(call)
          const own = scenario.actors.findIndex(({ model }) => model === call.model)
          for (const [at] of scenario.actors.entries())
            for (const secret of secretsOf(at)) {
              // Every field reaches its own actor, in every prompt.
              if (at === own) expect(words).toContain(secret)
              else expect(words).not.toContain(secret)
            }
          const short = scenario.actors[own]?.short_name
          for (const [word, hearers] of audience)
            if (words.includes(word) && call.purpose !== 'metric')
              expect(hearers, `${word} for ${call.model}`).toContain(short)
        }
        // Talks are known to the decisions of the same turn.
        for (const { turn, talks } of played.turns)
          for (const { from, to, message } of talks) {
            const decisions = calls.filter(
              call => call.purpose === 'decision' && wordsOf(call).includes(`This is turn ${turn} of`),
            )
            const knowing = decisions.filter(call => wordsOf(call).includes(message)).map(({ model }) => model)
            expect(knowing.toSorted()).toEqual([from, to].map(one => one.replace('a', 'm')).toSorted())
          }
      }),
      { numRuns: 60 },
    )
  })
})
