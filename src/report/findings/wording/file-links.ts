/** What a browser shows as text or as a picture. Pages and drawings that runs wrote might run scripts of theirs. */
const safe = /(^|\/)[^/.]*$|\.(txt|log|json|jsonl|csv|tsv|md|yaml|yml|toml|diff|patch|png|jpe?g|gif|webp)$/i

/** Whether a link to a run's file may be followed from the report. */
export const fileFits = (path: string): boolean => safe.test(path)
