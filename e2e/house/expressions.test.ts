import assert from 'node:assert/strict'
import test from 'node:test'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'
import { filesOf, textOf } from './project.ts'

/** Sources whose expressions meet text from outside; tests and measurements choose theirs. */
const files = filesOf('{domain,provenance,server,web}/src/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$|\/testing\//.test(file),
)

type Expression = { file: string; source: string; flags: string }

function expressionsOf(file: string): Expression[] {
  const found: Expression[] = []
  const { program, errors } = parseSync(file, textOf(file))
  assert.deepEqual(errors, [], file)
  new Visitor({
    Literal: (node) => {
      if ('regex' in node && node.regex)
        found.push({ file, source: node.regex.pattern, flags: node.regex.flags })
    },
  }).visit(program)
  return found
}

/**
 * An expression that backtracks more than linearly stops a process for minutes on a text of some thousand characters.
 * A text of bounded length, or `trim()` before it, takes its place.
 */
test('no regular expression backtracks more than linearly', () => {
  const all = files.flatMap(expressionsOf)
  assert.ok(all.length > 200, `${all.length} expressions were found`)
  const slow = all.flatMap(({ file, source, flags }) => {
    const literal = { source, flags }
    const reports = [
      ...analyse(literal, { assumeRejectingSuffix: true, reportTypes: { Move: false } }).reports,
      // From each place in a text where it begins anew; with `g` it goes on where it ended.
      ...analyse(literal, { reportTypes: { Trade: false, Self: false } }).reports,
    ]
    return reports.map(
      ({ type, exponential }) => `${file}: /${source}/${flags} (${exponential ? 'exponential' : type})`,
    )
  })
  assert.deepEqual([...new Set(slow)], [])
})
