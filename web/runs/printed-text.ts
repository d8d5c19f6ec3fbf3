/** What a program printed, without what it says to a terminal: colours and moves of the cursor are noise in a page. */
export const printedText = (text: string): string => text.replace(escapes, '')

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are made of
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g
