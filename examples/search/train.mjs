// A simulated training: the loss depends on the parameters in a realistic way, with a little noise from the seed.
const best = { sgd: -0.7, adam: -2.8 }
const floor = { sgd: 0.3, adam: 0.2 }

export default ({ rate, width, dropout, optimizer, momentum }, { seed }) => {
  const size = Math.log2(width)
  const noise = 0.01 * Math.sin(1000 * seed + 7 * size + 100 * dropout)
  const pull = optimizer === 'sgd' ? 0.3 * (momentum - 0.9) ** 2 : 0
  const loss = floor[optimizer] + 0.3 * (Math.log10(rate) - best[optimizer]) ** 2 + 0.02 * (size - 7) ** 2
  return { loss: loss + pull + (dropout - 0.3) ** 2 + noise, seconds: width / 100 + (optimizer === 'adam' ? 1 : 0.5) }
}
