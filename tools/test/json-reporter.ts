import type { TestEvent } from 'node:test/reporters'

/** Writes, as one JSON value a line, what the suite counts: tests left out, and the sums of a test file. */
export default async function* jsonReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:pass' && event.data.skip !== undefined && event.data.details.type !== 'suite')
      yield `${JSON.stringify({ skipped: event.data.name, reason: event.data.skip })}\n`
    if (event.type === 'test:summary') yield `${JSON.stringify({ counts: event.data.counts })}\n`
  }
}
