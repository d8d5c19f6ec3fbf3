// Stands in for a program that pays for every call: it reports the cost of each call while it runs.
//   node pretend-to-ask.mjs --model large --task 7
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { model: { type: 'string' }, task: { type: 'string' } } })
const difficulty = (Number(values.task) * 37) % 11
const [price, strength] = values.model === 'large' ? [0.024, 3] : [0.006, 1]

const calls = Math.min(6, Math.ceil((difficulty + 1) / strength))
for (let call = 0; call < calls; call++) report({ cost_usd: price })
report({ calls, solved: calls * strength > difficulty })

/** One JSON object per line. Amounts of cost_usd add up; of other metrics the last value counts. */
function report(metrics) {
  appendFileSync(process.env.ASSAY_METRICS_FILE, `${JSON.stringify(metrics)}\n`)
}
