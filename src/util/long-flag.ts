/** How an option is written on the command line: `dryRun` → `--dry-run`. */
export const longFlag = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
