import { expect, it } from 'vitest'
import { parseDockerfile } from '../../../../src/process/sandbox/dockerfile/dockerfile.ts'
import { AssayError } from '../../../../src/util/errors.ts'

const parse = (...lines: string[]) => parseDockerfile(lines.join('\n'), '/context')

it('reads the steps of a usual Dockerfile', () => {
  const { image, steps } = parse(
    '# syntax=docker/dockerfile:1',
    'FROM python:3.12-slim AS base',
    'ENV A=1 B="two words"',
    'RUN apt-get update && \\',
    '    # what the tests need',
    '    apt-get install -y git',
    '',
    'WORKDIR /app',
    'WORKDIR src',
    'COPY a.txt "b c.txt" ./',
    'RUN ["echo", "exec form"]',
    'USER tester',
  )
  expect(image).toBe('python:3.12-slim')
  expect(steps.map(({ text: _, ...step }) => step)).toEqual([
    { kind: 'env', name: 'A', value: '1', line: 3 },
    { kind: 'env', name: 'B', value: 'two words', line: 3 },
    {
      kind: 'run',
      argv: ['/bin/sh', '-c', expect.stringMatching(/^apt-get update && +apt-get install -y git$/)],
      line: 4,
    },
    { kind: 'workdir', path: '/app', line: 8 },
    { kind: 'workdir', path: '/app/src', line: 9 },
    { kind: 'copy', from: ['a.txt', 'b c.txt'], to: '/app/src/', mode: null, line: 10 },
    { kind: 'run', argv: ['echo', 'exec form'], line: 11 },
    { kind: 'user', name: 'tester', line: 12 },
  ])
})

it('puts in variables as Docker does', () => {
  const { steps } = parse(
    'ARG VERSION=3.12',
    'FROM python:${VERSION}',
    'ARG NAME=app',
    'ENV HERE=/${NAME} OLD=$HERE',
    "ENV LITERAL='$NAME' ESCAPED=\\$NAME",
    'ENV DEFAULT=${MISSING:-none} OTHER=${NAME:+set} EMPTY=$MISSING',
    'WORKDIR $HERE',
    'ENV PATH=/tool/bin:$PATH',
  )
  const values = Object.fromEntries(steps.flatMap(step => (step.kind === 'env' ? [[step.name, step.value]] : [])))
  expect(values).toMatchObject({
    HERE: '/app',
    OLD: '',
    LITERAL: '$NAME',
    ESCAPED: '$NAME',
    DEFAULT: 'none',
    OTHER: 'set',
    EMPTY: '',
    PATH: expect.stringMatching(/^\/tool\/bin:.*\/usr\/bin/),
  })
  expect(steps.find(step => step.kind === 'workdir')).toMatchObject({ path: '/app' })
})

it('supports heredocs', () => {
  const { steps } = parse(
    'FROM x',
    'RUN <<EOF',
    'set -e',
    'echo one # no comment of the file',
    'EOF',
    'RUN cat <<"END" > /file',
    'in a file',
    'END',
    'COPY --chmod=755 <<run.sh /app/',
    '#!/bin/sh',
    'run.sh',
    'RUN <<-SCRIPT',
    '\t#!/usr/bin/env python3',
    '\tprint(1)',
    '\tSCRIPT',
  )
  expect(steps).toMatchObject([
    { kind: 'run', argv: ['/bin/sh', '-c', 'set -e\necho one # no comment of the file\n'], line: 2 },
    { kind: 'run', argv: ['/bin/sh', '-c', 'cat <<"END" > /file\nin a file\nEND'], line: 6 },
    { kind: 'write', content: '#!/bin/sh\n', to: '/app/run.sh', mode: 0o755, line: 9 },
    { kind: 'run', stdin: '#!/usr/bin/env python3\nprint(1)\n', line: 12 },
  ])
})

it('uses the shell of the file', () => {
  const { steps } = parse('FROM x', 'SHELL ["/bin/bash", "-o", "pipefail", "-c"]', 'RUN a | b')
  expect(steps).toMatchObject([{ argv: ['/bin/bash', '-o', 'pipefail', '-c', 'a | b'] }])
})

it('reports instructions without effect', () => {
  const { notes } = parse(
    'FROM x',
    'EXPOSE 80',
    'CMD ["run"]',
    'RUN --mount=type=cache,target=/root/.cache pip install x',
  )
  expect(notes).toEqual([
    'line 2: EXPOSE has no effect here',
    'line 3: CMD has no effect here',
    'line 4: --mount has no effect here',
  ])
})

it.each([
  ['FROM a\nFROM b', 2, 'several stages'],
  ['FROM a\nCOPY --from=b /x /y', 2, '--from'],
  ['FROM a\nADD https://example.com/x /y', 2, 'an address'],
  ['FROM a\nADD x.tar.gz /y', 2, 'archive'],
  ['FROM a\nRUN --mount=type=secret,id=k cat k', 2, 'type=secret'],
  ['FROM a\n\nIMPORT x', 3, 'IMPORT is not known'],
  ['FROM a\nRUN <<EOF\necho', 2, 'has no end'],
])('refuses %j with its line', (text, line, why) => {
  let error: unknown
  try {
    parseDockerfile(text, null)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(AssayError)
  expect(error).toMatchObject({
    code: 'unsupported_environment',
    message: expect.stringContaining(why),
    facts: { line },
  })
})
