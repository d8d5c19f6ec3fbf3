/** A simulated model can't answer this call as its rules or the call's schema ask for; the message names what and where. */
export class SimRefused extends Error {
  override readonly name = 'SimRefused'
}
