import { normalFrom } from './random.ts'
import { observed, paths } from './terrain.ts'

/** A policy: from observations in this terrain to a preference for each path, with its gradient. */
export interface Network {
  readonly weights: Float32Array
  /** Preferences for the paths after these observations, the newest last; keeps what `backward` needs. */
  forward(seen: readonly Float32Array[]): { readonly logits: Float32Array; readonly kept: unknown }
  /** Adds the gradient of the weights, given that of the logits. */
  backward(kept: unknown, ofLogits: Float32Array, gradient: Float32Array): void
}

export type Architecture = 'vit_reset' | 'trxl'

export const networkFor = (architecture: Architecture, random: () => number): Network =>
  architecture === 'trxl' ? withMemory(random) : withoutMemory(random)

/** 509 weights: one hidden layer over the current observation. The memory is reset: earlier observations are forgotten. */
function withoutMemory(random: () => number): Network {
  const hidden = 28
  const weights = layers(random, [observed, hidden], [1, hidden], [hidden, paths], [1, paths])
  const top = perceptron(weights, 0, observed, hidden)
  return {
    weights,
    forward(seen) {
      const input = seen.at(-1) ?? new Float32Array(observed)
      const { logits, activity } = top.forward(input)
      return { logits, kept: { input, activity } }
    },
    backward(kept, ofLogits, gradient) {
      const { input, activity } = kept as { input: Float32Array; activity: Float32Array }
      top.backward(input, activity, ofLogits, gradient, null)
    },
  }
}

/**
 * 506 weights: a smaller hidden layer, which also gets what one attention head finds in all observations of this terrain
 * (Vaswani et al. 2017). The memory is carried from attempt to attempt, as in Transformer-XL.
 */
function withMemory(random: () => number): Network {
  const hidden = 15
  const width = 4
  const found = 5
  const weights = layers(
    random,
    [observed, width],
    [observed, width],
    [observed, found],
    [observed + found, hidden],
    [1, hidden],
    [hidden, paths],
    [1, paths],
  )
  const [ofQuery, ofKeys, ofValues, ofTop] = [0, observed * width, 2 * observed * width, observed * (2 * width + found)]
  const top = perceptron(weights, ofTop, observed + found, hidden)
  const scale = 1 / Math.sqrt(width)

  return {
    weights,
    forward(seen) {
      const newest = seen.at(-1) ?? new Float32Array(observed)
      const query = times(weights, ofQuery, newest, width)
      const keys = seen.map(one => times(weights, ofKeys, one, width))
      const values = seen.map(one => times(weights, ofValues, one, found))
      const attention = softmax(Float32Array.from(keys, key => scale * dot(query, key)))
      const input = new Float32Array(observed + found)
      input.set(newest)
      for (const [at, value] of values.entries())
        for (let i = 0; i < found; i++) input[observed + i] = n(input[observed + i]) + n(attention[at]) * n(value[i])
      const { logits, activity } = top.forward(input)
      return { logits, kept: { seen: [...seen], newest, query, keys, values, attention, input, activity } }
    },
    backward(kept, ofLogits, gradient) {
      const { seen, newest, query, keys, values, attention, input, activity } = kept as {
        seen: Float32Array[]
        newest: Float32Array
        query: Float32Array
        keys: Float32Array[]
        values: Float32Array[]
        attention: Float32Array
        input: Float32Array
        activity: Float32Array
      }
      const ofInput = new Float32Array(observed + found)
      top.backward(input, activity, ofLogits, gradient, ofInput)
      const ofFound = ofInput.subarray(observed)
      const ofAttention = Float32Array.from(values, value => dot(value, ofFound))
      const mean = dot(attention, ofAttention)
      const forQuery = new Float32Array(width)
      for (const [at, one] of seen.entries()) {
        const share = n(attention[at])
        addOuter(gradient, ofValues, one, ofFound, share)
        const ofScore = share * (n(ofAttention[at]) - mean) * scale
        addOuter(gradient, ofKeys, one, query, ofScore)
        for (let i = 0; i < width; i++) forQuery[i] = n(forQuery[i]) + ofScore * n(keys[at]?.[i])
      }
      addOuter(gradient, ofQuery, newest, forQuery, 1)
    },
  }
}

/** One hidden layer of tanh, and the logits; its weights start at `start` in the list. */
function perceptron(weights: Float32Array, start: number, inputs: number, hidden: number) {
  const [ofBias, ofOut] = [start + inputs * hidden, start + (inputs + 1) * hidden]
  const ofOutBias = ofOut + hidden * paths
  return {
    forward(input: Float32Array) {
      const activity = times(weights, start, input, hidden)
      for (let i = 0; i < hidden; i++) activity[i] = Math.tanh(n(activity[i]) + n(weights[ofBias + i]))
      const logits = times(weights, ofOut, activity, paths)
      for (let i = 0; i < paths; i++) logits[i] = n(logits[i]) + n(weights[ofOutBias + i])
      return { logits, activity }
    },
    backward(
      input: Float32Array,
      activity: Float32Array,
      ofLogits: Float32Array,
      gradient: Float32Array,
      ofInput: Float32Array | null,
    ): void {
      addOuter(gradient, ofOut, activity, ofLogits, 1)
      for (let i = 0; i < paths; i++) gradient[ofOutBias + i] = n(gradient[ofOutBias + i]) + n(ofLogits[i])
      const ofHidden = new Float32Array(hidden)
      for (let i = 0; i < hidden; i++) {
        let sum = 0
        for (let j = 0; j < paths; j++) sum += n(weights[ofOut + i * paths + j]) * n(ofLogits[j])
        ofHidden[i] = sum * (1 - n(activity[i]) ** 2)
        gradient[ofBias + i] = n(gradient[ofBias + i]) + n(ofHidden[i])
      }
      addOuter(gradient, start, input, ofHidden, 1)
      if (ofInput === null) return
      for (let i = 0; i < inputs; i++)
        ofInput[i] = dot(weights.subarray(start + i * hidden, start + (i + 1) * hidden), ofHidden)
    },
  }
}

/** Weights that preserve the scale of activations; one list, so that an optimizer needs no structure. */
function layers(
  random: () => number,
  ...shapes: readonly (readonly [inputs: number, outputs: number])[]
): Float32Array {
  return Float32Array.from(
    shapes.flatMap(([inputs, outputs]) =>
      // A row of 1 is a bias, and starts at 0.
      Array.from({ length: inputs * outputs }, () => (inputs === 1 ? 0 : normalFrom(random) / Math.sqrt(inputs))),
    ),
  )
}

function times(weights: Float32Array, start: number, input: Float32Array, outputs: number): Float32Array {
  const result = new Float32Array(outputs)
  for (let i = 0; i < input.length; i++) {
    const value = n(input[i])
    if (value === 0) continue
    for (let j = 0; j < outputs; j++) result[j] = n(result[j]) + value * n(weights[start + i * outputs + j])
  }
  return result
}

function addOuter(into: Float32Array, start: number, rows: Float32Array, columns: Float32Array, factor: number): void {
  for (let i = 0; i < rows.length; i++) {
    const value = factor * n(rows[i])
    if (value === 0) continue
    const row = start + i * columns.length
    for (let j = 0; j < columns.length; j++) into[row + j] = n(into[row + j]) + value * n(columns[j])
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += n(a[i]) * n(b[i])
  return sum
}

export function softmax(scores: Float32Array): Float32Array {
  const highest = scores.reduce((a, b) => Math.max(a, b), -Infinity)
  const shares = scores.map(score => Math.exp(score - highest))
  const sum = shares.reduce((a, b) => a + b, 0)
  return shares.map(share => share / sum)
}

const n = (value: number | undefined): number => value ?? 0
