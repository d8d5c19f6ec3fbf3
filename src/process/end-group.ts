import { endMembers } from './end-members.ts'
import type { AttemptProcess } from './members.ts'

/** Ends everything that the attempt started, grandchildren that left the group included, and waits until it is gone. */
export async function endGroup(attempt: AttemptProcess, graceMs: number): Promise<void> {
  await endMembers([attempt], graceMs)
}
