import type { CallContext } from 'assay'
import { type Architecture, type Network, networkFor, softmax } from './networks.ts'
import { randomFor } from './random.ts'
import { attempts, type Curriculum, observe, rewardFor, type Terrain, terrainFor } from './terrain.ts'

interface Params {
  readonly architecture: Architecture
  readonly curriculum: Curriculum
  /** Number of updates; the reward is logged at each. */
  readonly updates: number
  /** `any_order`: gradients are added in an order independent of the seed, as on a graphics card. */
  readonly summation: 'in_order' | 'any_order'
}

const episodes = 24
const rate = 0.012
const liveliness = 0.02

/** Policy gradients (Williams 1992, REINFORCE) with Adam (Kingma & Ba 2015). The seed decides weights, terrains and choices. */
export default function train({ architecture, curriculum, updates, summation }: Params, context: CallContext) {
  const seed = Number(context.block.seed ?? context.seed)
  const network = networkFor(architecture, randomFor(seed, 'weights', architecture))
  const optimizer = adam(network.weights)
  const expected = new Float32Array(attempts)
  for (let update = 0; update < updates; update++) {
    const batch = Array.from({ length: episodes }, (_, index) => {
      const episode = update * episodes + index
      const terrain = terrainFor(curriculum, seed, update / updates, episode)
      return play(network, terrain, randomFor(seed, 'choices', episode))
    })
    const gradients = batch.map(episode => gradientOf(network, episode, expected))
    optimizer.step(sumOf(summation === 'any_order' ? shuffled(gradients) : gradients))
    learnWhatToExpect(expected, batch)
    context.report('overview/reward', meanReward(batch), (update + 1) * episodes * attempts)
  }
  return { parameters: network.weights.length }
}

interface Moment {
  readonly kept: unknown
  readonly chances: Float32Array
  readonly path: number
  readonly reward: number
}

function play(network: Network, terrain: Terrain, random: () => number): readonly Moment[] {
  const seen: Float32Array[] = []
  const moments: Moment[] = []
  for (let attempt = 0; attempt < attempts; attempt++) {
    seen.push(observe(terrain, moments.at(-1) ?? null))
    const { logits, kept } = network.forward(seen)
    const chances = softmax(logits)
    const path = drawn(chances, random())
    moments.push({ kept, chances, path, reward: rewardFor(terrain, path, attempt) })
  }
  return moments
}

function drawn(chances: Float32Array, luck: number): number {
  let rest = luck
  for (const [path, chance] of chances.entries()) {
    rest -= chance
    if (rest < 0) return path
  }
  return chances.length - 1
}

function gradientOf(network: Network, moments: readonly Moment[], expected: Float32Array): Float32Array {
  const gradient = new Float32Array(network.weights.length)
  let toCome = 0
  for (let attempt = moments.length - 1; attempt >= 0; attempt--) {
    const moment = moments[attempt]
    if (moment === undefined) continue
    toCome += moment.reward
    const { chances, path, kept } = moment
    const advantage = toCome - (expected[attempt] ?? 0)
    const entropy = -chances.reduce((sum, chance) => sum + chance * Math.log(chance + 1e-9), 0)
    const ofLogits = chances.map(
      (chance, at) =>
        (advantage / attempts) * ((at === path ? 1 : 0) - chance) -
        liveliness * chance * (Math.log(chance + 1e-9) + entropy),
    )
    network.backward(kept, ofLogits, gradient)
  }
  return gradient
}

/** In single precision the order of a sum matters, a little. */
function sumOf(gradients: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(gradients[0]?.length ?? 0)
  for (const gradient of gradients) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (gradient[i] ?? 0)
  return sum
}

function shuffled<T>(list: readonly T[]): readonly T[] {
  return list
    .map(item => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** A running mean of the future reward, attempt by attempt. */
function learnWhatToExpect(expected: Float32Array, batch: readonly (readonly Moment[])[]): void {
  let toCome = 0
  for (let attempt = attempts - 1; attempt >= 0; attempt--) {
    toCome += batch.reduce((sum, moments) => sum + (moments[attempt]?.reward ?? 0), 0) / batch.length
    expected[attempt] = 0.9 * (expected[attempt] ?? 0) + 0.1 * toCome
  }
}

function adam(weights: Float32Array) {
  const first = new Float32Array(weights.length)
  const second = new Float32Array(weights.length)
  let steps = 0
  return {
    /** Uphill: the gradient is that of the reward. */
    step(gradient: Float32Array): void {
      steps++
      for (let i = 0; i < weights.length; i++) {
        const slope = (gradient[i] ?? 0) / episodes
        first[i] = 0.9 * (first[i] ?? 0) + 0.1 * slope
        second[i] = 0.999 * (second[i] ?? 0) + 0.001 * slope * slope
        const size = Math.sqrt((second[i] ?? 0) / (1 - 0.999 ** steps)) + 1e-8
        weights[i] = (weights[i] ?? 0) + (rate * ((first[i] ?? 0) / (1 - 0.9 ** steps))) / size
      }
    },
  }
}

const meanReward = (batch: readonly (readonly Moment[])[]): number =>
  batch.flat().reduce((sum, { reward }) => sum + reward, 0) / (batch.length * attempts)
