// The commands that make runs and look after them, read as one: each file that Node opens costs a millisecond, and
// importing these one by one would cut what they share into dozens.
export { collectCommand } from './collect.ts'
export { pauseCommand, resumeCommand, stopCommand } from './control.ts'
export { initCommand } from './init.ts'
export { planCommand } from './plan.ts'
export { runCommand } from './run.ts'
export { setCommand } from './set.ts'
export { statusCommand } from './status.ts'
export { sweepCommand } from './sweep.ts'
export { tagCommand } from './tag.ts'
export { whyCommand } from './why.ts'
export { workerCommand } from './worker.ts'
