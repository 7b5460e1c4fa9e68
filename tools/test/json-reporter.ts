import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * Writes one JSON value per line for the suite's tally: files with tests, their durations, skipped tests, what failed on
 * what, and the totals of the process.
 */
export default async function* jsonReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:start' && event.data.nesting === 0)
      yield `${JSON.stringify({ tested: pathOf(event.data.file) })}\n`
    if (event.type === 'test:pass' && event.data.skip !== undefined && event.data.details.type !== 'suite')
      yield `${JSON.stringify({ skipped: event.data.name, file: pathOf(event.data.file), reason: event.data.skip })}\n`
    if (event.type === 'test:fail' && event.data.details.type !== 'suite')
      yield `${JSON.stringify({ failed: event.data.name, why: firstWords(event.data.details.error) })}\n`
    if ((event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0)
      yield `${JSON.stringify({ ended: pathOf(event.data.file), ms: event.data.details.duration_ms })}\n`
    if (event.type === 'test:summary') yield `${JSON.stringify({ counts: event.data.counts })}\n`
  }
}

const MAX_WORDS = 300

/** The message of what a test threw, on one line. */
function firstWords(error: Error): string {
  const { cause } = error
  const { message } = cause instanceof Error ? cause : error
  return message
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, MAX_WORDS)
}

const pathOf = (file: string | undefined): string => relative('', file ?? '')
