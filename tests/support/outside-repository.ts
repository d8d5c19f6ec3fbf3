import { tmpdir } from 'node:os'
import { afterAll, beforeAll } from 'vitest'

/** The tests of this file run where git is not asked: experiments made in code belong to the current folder, and a look through all of this repository for each takes longer than they do. */
export function outsideRepository(): void {
  const before = process.cwd()
  beforeAll(() => process.chdir(tmpdir()))
  afterAll(() => process.chdir(before))
}
