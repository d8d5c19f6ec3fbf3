/** ISO 8601 with date and time, as ATIF's validators require. */
export const isIsoTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/.test(text) && !Number.isNaN(Date.parse(text))
