import { createContext } from 'preact'

/** The experiments that are shown, in the order in which the dataset has them as sources. */
export const DirsContext = createContext<readonly string[]>([])
