import { describe, expect, it } from 'vitest'
import { diffFiles } from '../../web/task/diff-files.ts'
import { patch } from '../support/task-work.ts'

const brief = (text: string) =>
  diffFiles(text).map(({ path, from, kind, isBinary, added, removed }) => [path, from, kind, isBinary, added, removed])

describe('a patch', () => {
  it('is files with their lines, whatever the lines look like', () => {
    expect(brief(patch)).toEqual([
      ['greet.sh', null, 'added', false, 2, 0],
      ['old.py', null, 'changed', false, 1, 1],
      ['data.bin', null, 'changed', true, 0, 0],
    ])
    expect(diffFiles(patch)[1]?.lines).toEqual([
      { kind: 'place', text: '@@ -1,3 +1,3 @@' },
      { kind: 'same', text: ' import sys' },
      { kind: 'removed', text: "-print('a')" },
      { kind: 'added', text: "+print('b')" },
      { kind: 'same', text: ' diff --git a/x b/x' },
    ])
  })

  it('does not mistake a line of a file for the next header', () => {
    const text = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,2 +1,2 @@
--- a/y
+++ b/y
 diff --git a/z b/z
\\ No newline at end of file
diff --git a/w b/w
deleted file mode 100644
`
    expect(brief(text)).toEqual([
      ['x', null, 'changed', false, 1, 1],
      ['w', null, 'deleted', false, 0, 0],
    ])
    expect(diffFiles(text)[0]?.lines.at(-1)).toEqual({ kind: 'note', text: '\\ No newline at end of file' })
  })

  it('reads renames, quoted names and names with spaces', () => {
    expect(
      brief(`diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git "a/\\303\\266" "b/\\303\\266"
new file mode 100644
--- /dev/null
+++ "b/\\303\\266"
@@ -0,0 +1 @@
+x
diff --git a/with space b/with space
old mode 100644
new mode 100755
`),
    ).toEqual([
      ['new name', 'old name', 'renamed', false, 0, 0],
      ['\\303\\266', null, 'added', false, 1, 0],
      ['with space', null, 'changed', false, 0, 0],
    ])
  })

  it('may be truncated anywhere, or be other text', () => {
    for (let length = 0; length < patch.length; length++)
      expect(diffFiles(patch.slice(0, length)).length).toBeLessThan(4)
    expect(diffFiles('')).toEqual([])
    expect(diffFiles('no patch\n@@ -1 +1 @@\n+x')).toEqual([])
  })
})
