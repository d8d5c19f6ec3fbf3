/** A program that ends when there is a file `go` beside it, or one named after its own parameter `x`. */
export const waiting = `#!/bin/sh
echo "$1" >> started
while [ ! -e go ] && [ ! -e "go-$1" ]; do sleep 0.1; done
echo "$1" >> finished
`

/** An experiment of runs that wait. */
export const waitingExperiment = (x: string, limits: string): string => `
name: waits
target: { kind: command, command: [./waits.sh, '{x}'] }
factors: { x: ${x} }
order: listed
limits: ${limits}
`
