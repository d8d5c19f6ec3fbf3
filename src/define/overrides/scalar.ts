import { isScalar, parseDocument } from 'yaml'
import { AssayError, messageOf } from '../../util/errors.ts'
import type { Source } from '../source/source.ts'
import { yamlSource } from '../source/yaml-source.ts'

type Written = Pick<Source, 'value' | 'spellingOf'>

/** A value from the command line: read as YAML if it looks like it, otherwise as plain text. */
export function readValue(text: string, option: string): Written {
  if (/^\s*[[{"']/.test(text)) return readYaml(text, option)
  const document = parseDocument(text)
  // `a: b` and `x # y` are YAML for something else, but on the command line they mean the text.
  const isPlain = document.errors.length === 0 && isScalar(document.contents) && document.contents.source === text
  return isPlain ? readYaml(text, option) : { value: text, spellingOf: () => null }
}

/** `full,fifo` is a list of two; `[full, fifo]` and `"a,b",c` are read as YAML. */
export function readList(text: string, option: string): Written {
  return readYaml(/^\s*\[/.test(text) ? text : `[${text}]`, option)
}

function readYaml(text: string, option: string): Written {
  try {
    return yamlSource(option, text)
  } catch (error) {
    // A position in such a short text is no help.
    const reason = messageOf(error)
      .replace(`${option}:`, '')
      .replace(/^\d+:\d+ {2}(malformed YAML: )?/, '')
    throw new AssayError('config', `${option}: can't be read: ${reason}`, {
      hint: 'put text with special characters in quotes',
      cause: error,
    })
  }
}
