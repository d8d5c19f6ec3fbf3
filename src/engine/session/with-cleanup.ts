/**
 * Does `work`, then `after` in any case. If both throw, the first error is thrown, as it is the cause; the other is
 * reported.
 */
export async function withCleanup<T>(
  work: () => Promise<T>,
  after: () => Promise<void>,
  tell: (error: unknown) => void,
): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    await after().catch(tell)
    throw error
  }
  await after()
  return result
}
