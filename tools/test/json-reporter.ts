import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * Writes one JSON value per line for the suite's tally: files with tests, their durations, skipped tests, and the totals of the process.
 */
export default async function* jsonReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:start' && event.data.nesting === 0)
      yield `${JSON.stringify({ tested: pathOf(event.data.file) })}\n`
    if (event.type === 'test:pass' && event.data.skip !== undefined && event.data.details.type !== 'suite')
      yield `${JSON.stringify({ skipped: event.data.name, file: pathOf(event.data.file), reason: event.data.skip })}\n`
    if ((event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0)
      yield `${JSON.stringify({ ended: pathOf(event.data.file), ms: event.data.details.duration_ms })}\n`
    if (event.type === 'test:summary') yield `${JSON.stringify({ counts: event.data.counts })}\n`
  }
}

const pathOf = (file: string | undefined): string => relative('', file ?? '')
