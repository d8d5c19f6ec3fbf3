import { Readable } from 'node:stream'
import type { Io, Output } from '../../src/cli/io.ts'

export interface FakeIo extends Io {
  readonly stdout: FakeOutput
  readonly stderr: FakeOutput
}

interface FakeOutput extends Output {
  text(): string
}

/** An outside world of memory. */
export function fakeIo(line: string | readonly string[], more: Partial<Io> & { isTTY?: boolean } = {}): FakeIo {
  const { isTTY = false, ...rest } = more
  return {
    argv: typeof line === 'string' ? line.split(' ').filter(word => word !== '') : line,
    stdin: Readable.from([]),
    env: {},
    cwd: process.cwd(),
    onSignal: () => () => {},
    onExit: () => () => {},
    ...rest,
    stdout: fakeOutput(isTTY),
    stderr: fakeOutput(isTTY),
  }
}

export function fakeOutput(isTTY = false): FakeOutput {
  let written = ''
  return {
    write(text) {
      written += text
    },
    text: () => written,
    isTTY,
    columns: 80,
    colour: false,
    isOpen: true,
  }
}
