/** What a program printed, without colours and other orders to a terminal; of a line that was written over, what was seen last. */
export function plainOutput(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
      .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, '')
      .replace(/\r\n/g, '\n')
      .replace(/[^\n]*\r(?!$)/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
  )
}
