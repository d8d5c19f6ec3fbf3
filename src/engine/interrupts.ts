/** How somebody asks the engine to end: `drain` lets running runs finish, `cancel` ends them. */
export type Interrupt = 'drain' | 'cancel'

/** Where interrupts come from; the returned function stops listening. */
export type Interrupts = (listener: (interrupt: Interrupt) => void) => () => void

export const noInterrupts: Interrupts = () => () => undefined
