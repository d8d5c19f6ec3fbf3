import { expect, it } from 'vitest'
import { onBroadcast } from '../../../src/execute/queue/messages.ts'
import { readParcel } from '../../../src/execute/queue/wire-result.ts'
import { jobWith } from '../../perform/support.ts'

it.each(['../outside', '/etc', '..', 'a/../../b', '', 'a\\b'])('refuses a job that would write to %j', name => {
  const job = jobWith()
  const parcelOf = (one: object) => JSON.parse(JSON.stringify({ package: 'some', jobs: [one] }))
  expect(readParcel(parcelOf(job))?.jobs).toHaveLength(1)
  expect(readParcel(parcelOf({ ...job, run: { ...job.run, name } }))).toBeNull()
  expect(readParcel(parcelOf({ ...job, token: name }))).toBeNull()
})

it('ignores a coordinator whose queue name is a path', () => {
  const heard: string[] = []
  const hear = onBroadcast(message => heard.push(message.t))
  const hello = { t: 'coordinator', id: 'one', name: 'e', host: 'h', version: '1', package: 'p', gone_ms: 1_000 }
  hear({ ...hello, queue: 'assay-0123abcd' })
  hear({ ...hello, queue: '../../outside' })
  expect(heard).toEqual(['coordinator'])
})
