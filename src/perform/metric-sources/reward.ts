import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MetricSource } from '../../define/experiment.ts'
import { isJsonObject } from '../../util/json.ts'
import { numberInText, numberOf, parseJson } from '../parsed-values.ts'
import { withFile } from './read-file.ts'
import { problemReading, valueReading } from './readings.ts'

/** Where verifiers of agent tasks leave their verdict: a number in reward.txt, or `{"reward": 1}` in reward.json. */
const files = ['', 'out/', 'logs/verifier/'].flatMap(folder => [`${folder}reward.txt`, `${folder}reward.json`])

export const rewardSource: MetricSource = {
  kind: 'reward',
  read(runDir, metric) {
    const file = files.find(name => existsSync(join(runDir, name)))
    if (file === undefined) return problemReading(metric, `there is no reward: none of ${files.join(', ')} was written`)
    return withFile(runDir, metric, { file }, text => {
      const found = file.endsWith('.txt') ? numberInText(text) : numberOf(rewardIn(parseJson(text)))
      return 'value' in found ? valueReading(metric, found.value) : problemReading(metric, `${file} ${found.problem}`)
    })
  },
}

const rewardIn = (document: unknown): unknown => (isJsonObject(document) ? document.reward : document)
