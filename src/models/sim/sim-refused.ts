/** A simulated model can't satisfy its rules or the call's schema; the message names what and where. */
export class SimRefused extends Error {
  override readonly name = 'SimRefused'
}
