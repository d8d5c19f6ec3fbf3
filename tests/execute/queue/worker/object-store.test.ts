import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseStore, storeFile } from '../../../../src/execute/queue/worker/object-store.ts'
import { signRequest } from '../../../../src/execute/queue/worker/sign-request.ts'
import { folderWith } from '../../../support/assay.ts'
import { startS3 } from '../../../support/s3-server.ts'

test('signs the example of S3’s documentation correctly', () => {
  const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
  const request = {
    method: 'PUT',
    url: new URL('https://examplebucket.s3.amazonaws.com/test%24file.text'),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  }
  const { authorization } = signRequest(request, keys, 'us-east-1', new Date('2013-05-24T00:00:00Z'))
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})

test('stores a file under names that need encoding, and retries while the store is busy', async () => {
  const store = await startS3([503])
  const folder = folderWith({ 'large.bin': 'much\n' })
  await storeFile(join(folder, 'large.bin'), 'bucket', "a b/ü+(x)'*/large.bin", {
    ...store.env,
    AWS_REGION: 'eu-north-1',
  })
  expect(store.answers).toEqual([503, 200])
  expect([...store.objects]).toEqual([['/bucket/a%20b/%C3%BC%2B%28x%29%27%2A/large.bin', Buffer.from('much\n')]])
})

test('reports refusals of the store, and missing variables', async () => {
  const store = await startS3()
  const file = join(folderWith({ f: '' }), 'f')
  const wrong = { ...store.env, AWS_SECRET_ACCESS_KEY: 'guessed' }
  await expect(storeFile(file, 'bucket', 'f', wrong)).rejects.toThrow(
    'the store answers 403 (SignatureDoesNotMatch: no)',
  )
  expect(store.answers).toEqual([403])
  await expect(storeFile(file, 'bucket', 'f', { AWS_ENDPOINT_URL: store.address })).rejects.toThrow(
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set there',
  )
})

test('reads the address of a store', () => {
  expect(parseStore('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '' })
  expect(parseStore('s3://my.bucket/a/b/')).toEqual({ bucket: 'my.bucket', prefix: 'a/b' })
  expect(() => parseStore('gs://bucket')).toThrow('expected s3://bucket or s3://bucket/folder, got gs://bucket')
})
