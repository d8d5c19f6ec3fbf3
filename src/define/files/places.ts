/** Where relative paths are looked for: in the folder of the configuration, then in the working directory. */
export interface Places {
  readonly folder: string
  readonly cwd: string
}

/** For people: both are named only where they differ. */
export const placesText = ({ folder, cwd }: Places): string => [...new Set([folder, cwd])].join(' or ')
