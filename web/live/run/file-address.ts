/** Where the server has a file of a run, or a piece of it. */
export const fileAddress = (
  dir: string,
  run: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
): string => `/api/file?${new URLSearchParams({ dir, run, path, ...more })}`
