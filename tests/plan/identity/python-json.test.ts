import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pythonJson } from '../../../src/plan/identity/python-json.ts'

test.each([
  [{ b: [1, 0.5, null], a: true }, '{"a":true,"b":[1,0.5,null]}'],
  [0.00001, '1e-05'],
  [0.0001, '0.0001'],
  [1.5e-7, '1.5e-07'],
  [1e22, '10000000000000000000000'],
  ['ä\u007f\n😀', '"\\u00e4\\u007f\\n\\ud83d\\ude00"'],
  [{ '😀': 1, '\uffff': 2 }, '{"\\uffff":2,"\\ud83d\\ude00":1}'],
])('%j is spelt %s', (value, text) => {
  expect(pythonJson(value)).toBe(text)
})

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.runIf(hasPython)('is what Python prints', () => {
  const values = fc
    .sample(fc.jsonValue({ noUnicodeString: false }), 200)
    .map(value => JSON.parse(JSON.stringify(value)))
  // A float without a fraction is an integer to us, and an integer has 53 bits; so we make it in Python.
  const program = `
import json, sys
def whole(x):
    if isinstance(x, (int, float)) and not isinstance(x, bool) and float(x).is_integer(): return int(float(x))
    if isinstance(x, list): return [whole(i) for i in x]
    if isinstance(x, dict): return {k: whole(v) for k, v in x.items()}
    return x
print(json.dumps([json.dumps(whole(v), sort_keys=True, separators=(",", ":")) for v in json.load(sys.stdin)]))`
  const printed: unknown = JSON.parse(
    execFileSync('python3', ['-c', program], { input: JSON.stringify(values), encoding: 'utf8' }),
  )
  expect(values.map(pythonJson)).toEqual(printed)
})
