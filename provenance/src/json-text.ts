import { FormatError } from './format-error.ts'

/** Strings of a JSON text, each with the colon after it when it is a member's name. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/**
 * The value of a JSON text, where no object gives a name twice: of two members with one name another reader might see
 * the other. Source: RFC 8785 §3.1, RFC 7493 §2.3.
 * @throws FormatError for anything else
 */
export function parseJsonText(text: string): unknown {
  const value = parsed(text)
  let names = 0
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) names += 1
  if (names !== countNames(value)) throw new FormatError('$', 'gives a name twice')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FormatError('$', 'is not JSON')
  }
}

/** Members of all objects in a value; walks without recursion, for JSON.parse takes any depth. */
function countNames(value: unknown): number {
  const open = [value]
  let names = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Object.values(next)
    if (!Array.isArray(next)) names += inner.length
    for (const item of inner) open.push(item)
  }
  return names
}
