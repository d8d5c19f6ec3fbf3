// The commands that execute and inspect runs, in one module: each file that Node opens costs a millisecond, and
// importing these one by one would split their shared code into dozens of files.
export { collectCommand } from './look/collect.ts'
export { pauseCommand, resumeCommand, stopCommand } from './run/control.ts'
export { initCommand } from './run/init.ts'
export { planCommand } from './run/plan.ts'
export { runCommand } from './run/run.ts'
export { setCommand } from './run/set.ts'
export { statusCommand } from './run/status.ts'
export { tagCommand } from './run/tag.ts'
export { whyCommand } from './run/why.ts'
export { sweepCommand } from './search/sweep.ts'
export { workerCommand } from './search/worker.ts'
