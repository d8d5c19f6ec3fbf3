import { setFlagsFromString } from 'node:v8'

// V8 matches by trying one way after the other, which takes exponential time for patterns such as (a+)+$. With this
// flag it changes to an engine that needs linear time once it has tried too many ways. That engine knows no look-around
// and no back-references: patterns with these are as slow as ever, so whoever reads texts of others limits the time too.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')

/** A regular expression of a user's, to be matched against the text of anybody. */
export const linearRegExp = (pattern: string, flags = ''): RegExp => new RegExp(pattern, flags)
