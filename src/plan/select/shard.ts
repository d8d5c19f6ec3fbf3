import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { Selection } from '../planner.ts'
import type { Filter } from './filter.ts'

/** Whether a run belongs to a shard: it follows from the key alone, so a run stays in its shard when the plan grows. */
export function inShard(shard: NonNullable<Selection['shard']>): Filter {
  const { index, count } = shard
  if (!Number.isInteger(index) || !Number.isInteger(count) || index < 1 || index > count)
    throw new AssayError('usage', `there is no shard ${index}/${count}`, {
      hint: 'Shards count from 1: 1/4, 2/4, 3/4, 4/4.',
    })
  return ({ key }: Run) => Number.parseInt(key.slice(-8), 16) % count === index - 1
}
