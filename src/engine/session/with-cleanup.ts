/** Does `work`, then `after` whatever came of it. Of two errors the first is thrown, as it is the cause; the other is told. */
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
