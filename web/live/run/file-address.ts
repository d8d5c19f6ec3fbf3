/** The server's address of a run's file, or of a part of it. */
export const fileAddress = (
  dir: string,
  run: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
): string => `/api/file?${new URLSearchParams({ dir, run, path, ...more })}`
