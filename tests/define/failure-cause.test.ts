import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { programNotices } from '../../src/define/dialects/registry.ts'
import { failureCause, tellingLine } from '../../src/define/outcome.ts'

describe('the cause in a failure message', () => {
  const same: readonly (readonly [string, readonly string[]])[] = [
    ['KeyError', ["KeyError: 'alpha'", "KeyError: 'beta_2'", 'KeyError: 17', 'KeyError']],
    [
      'connection refused',
      [
        "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8080): Max retries exceeded with url: /v1 (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at 0x7f3a>: Failed to establish a new connection: [Errno 111] Connection refused'))",
        'Error: connect ECONNREFUSED 127.0.0.1:5432',
        'dial tcp 10.0.0.7:443: connect: connection refused',
        'curl: (7) Failed to connect to localhost port 9 after 0 ms: Connection refused',
      ],
    ],
    [
      'FileNotFoundError: [Errno 2] No such file or directory',
      [
        "FileNotFoundError: [Errno 2] No such file or directory: '/data/run-1/a.csv'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'b.csv'",
      ],
    ],
    [
      'AssertionError: expected … to equal …',
      ['AssertionError: expected 3 to equal 4', 'AssertionError: expected -0.25 to equal 1e-9'],
    ],
    [
      'task-… of … did not converge after … steps',
      [
        'task-17 of 4f1c9b2ae0 did not converge after 1,000 steps',
        'task-8 of 77aa01bc99 did not converge after 250 steps',
      ],
    ],
    [
      'ValueError: shapes (…) and (…) do not match',
      ['ValueError: shapes (3, 4) and (5, 4) do not match', 'ValueError: shapes (7,) and (2, 2, 1) do not match'],
    ],
    [
      'solver failed in … s (see …, seed …)',
      ['solver failed in 3.2 s (see out/run-3/log.txt, seed 4)', 'solver failed in 17 s (see ./b/log.txt:12, seed 41)'],
    ],
    [
      'NullPointerException: Cannot invoke … because … is null',
      [
        'java.lang.NullPointerException: Cannot invoke "String.length()" because "s" is null',
        'java.lang.NullPointerException: Cannot invoke "List.size()" because "<local1>" is null',
      ],
    ],
    [
      'worker died',
      ['2026-11-18 03:50:30,123 ERROR worker died', '[2026-11-19T01:00:00Z] ERROR: worker died', 'Error: worker died'],
    ],
    ['out of GPU memory', ['torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB']],
    ['disk full', ['OSError: [Errno 28] No space left on device', 'ENOSPC: no space left on device, write']],
    ["context is full, can't go on", ["context is full, can't go on"]],
  ]

  test.each(same)('%s', (cause, messages) => {
    expect(messages.map(message => failureCause(message))).toEqual(messages.map(() => cause))
  })

  test('numbers that name a kind of failure stay distinct', () => {
    expect(failureCause('the program ended with exit code 7')).toBe('the program ended with exit code 7')
    expect(failureCause('the program ended with exit code 9')).toBe('the program ended with exit code 9')
    expect(failureCause('server answered HTTP 503 after 1204 ms')).toBe('server answered HTTP 503 after … ms')
  })

  test('different failures stay different', () => {
    const messages = ["KeyError: 'a'", "AttributeError: 'a'", 'Error: no gold', 'Error: no food', 'Connection refused']
    expect(new Set(messages.map(failureCause)).size).toBe(messages.length)
  })

  test('a message of many lines is classified by its first, and an empty one has no cause', () => {
    expect(failureCause('\ncontext is full\nsee the log')).toBe('context is full')
    expect(['', ' \n ', '17', "'x'"].map(failureCause)).toEqual(['', '', '', ''])
  })

  test.each([
    'a'.repeat(1e5),
    '/'.repeat(1e5),
    "'".repeat(1e5),
    '1'.repeat(1e5),
    'a.'.repeat(1e5),
    '<'.repeat(1e5),
    'a/'.repeat(1e5),
    '… '.repeat(1e5),
    'status '.repeat(1e5),
  ])('takes as little time for a hostile line as for a short one (%#)', line => {
    expect(failureCause(line).length).toBeLessThan(130)
  })
})

describe('the line that gives the reason', () => {
  test.each([
    [
      'Python',
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: \'x\'\n',
      "KeyError: 'x'",
    ],
    [
      'Node',
      "/a/b.js:1\nthrow new Error('gone')\n^\n\nError: gone\n    at Object.<anonymous> (/a/b.js:1:7)\n    at node:internal/main:1:2\n\nNode.js v24.1.0\n",
      'Error: gone',
    ],
    [
      'Java',
      'Exception in thread "main" java.lang.IllegalStateException: no\n\tat A.main(A.java:3)\n\t... 2 more\n',
      'Exception in thread "main" java.lang.IllegalStateException: no',
    ],
    [
      'Rust',
      "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1` environment variable\n",
      'index out of bounds',
    ],
    [
      'Go',
      'panic: no gold\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/a.go:8 +0x1d\nexit status 2\n',
      'panic: no gold',
    ],
    ['a plain program', 'starting\ngave up\u001b[0m\n\n', 'gave up [0m'],
    [
      'Python with our module for wandb',
      "Traceback (most recent call last):\nKeyError: 'x'\nassay wandb: sync_tensorboard: this process wrote no event files\n",
      "KeyError: 'x'",
    ],
    ['a notice alone', 'assay wandb: alert: Look here\n', 'assay wandb: alert: Look here'],
    [
      "a program's own line that looks like a notice",
      'starting\nassay control: value missing\n',
      'assay control: value missing',
    ],
    ['nothing', '\n \n', ''],
  ])('of %s', (_, output, line) => {
    expect(tellingLine(output, programNotices)).toBe(line)
  })

  test('is none of the notices that our module prints', () => {
    const modules = globSync('src/define/dialects/**/_say.py').map(file => readFileSync(file, 'utf8'))
    expect(modules).toHaveLength(1)
    for (const text of modules) expect(programNotices.some(notice => text.includes(`write("${notice}%s`))).toBe(true)
  })
})
