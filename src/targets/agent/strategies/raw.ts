import { joined, type Strategy, verbatim } from './strategy.ts'

/** Everything, until the model's context is full. */
export const raw: Strategy<null> = {
  name: 'raw',
  start: () => null,
  next: (history, state) => ({ prompt: joined(verbatim(history)), state }),
}
