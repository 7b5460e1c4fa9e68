/*
 * What a request or a job does, in spans of a trace, for a collector of OpenTelemetry. This file is all that the rest of the
 * server knows of it, and needs no package: while tracing is off, everything here returns at once.
 */

/** Never what somebody typed: names, codes, counts and statements without their values. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  kind?: 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /**
   * Traceparent (W3C Trace Context) of what this was caused by, as it was kept or sent. Null: by nothing that is known; a
   * trace of its own begins. By default what is under way.
   */
  parent?: string | null
  /** Traceparents of what else it has to do with. */
  links?: readonly string[]
}

/** A span that was begun. */
export type OpenSpan = {
  /** Runs work as part of it. */
  run<Made>(work: () => Made): Made
  name(name: string): void
  set(attributes: Attributes): void
  /** It did not succeed. Of an error only its kind is kept: messages quote what people typed. */
  fail(error?: unknown): void
  /** It has to do with the span of this traceparent. */
  link(traceparent: string): void
  /** Once; later calls do nothing. */
  end(): void
  /** To be kept or sent, so that what it causes elsewhere joins the trace. */
  readonly traceparent: string
}

export type Tracing = {
  begin(name: string, options: SpanOptions): OpenSpan
  /** The span under way that is recorded and has not ended. */
  current(): OpenSpan | undefined
  /** Runs work as part of no span. */
  apart<Made>(work: () => Made): Made
}

let tracing: Tracing | undefined

/** Turns tracing on for this process, or off. Returns what it was. */
export function useTracing(made: Tracing | undefined): Tracing | undefined {
  const before = tracing
  tracing = made
  return before
}

export const isTracing = (): boolean => tracing !== undefined

/** Begins a span by itself; undefined while tracing is off. */
export const beginSpan = (name: string, options: SpanOptions = {}): OpenSpan | undefined =>
  tracing?.begin(name, options)

/** Begins a span within the one under way; undefined where none is recorded: nobody would find it. */
export const beginPart = (name: string, options: SpanOptions = {}): OpenSpan | undefined =>
  tracing?.current() && tracing.begin(name, options)

/** The span under way that is recorded; undefined: none is. */
export const currentSpan = (): OpenSpan | undefined => tracing?.current()

/** Runs work as part of no span: what goes on for long, or would be told of for ever. */
export const apart = <Made>(work: () => Made): Made => (tracing === undefined ? work() : tracing.apart(work))

/** Does work in a span that lasts as long. */
export function traced<Made>(name: string, options: SpanOptions, work: () => Promise<Made>): Promise<Made> {
  return tracing === undefined ? work() : within(tracing.begin(name, options), work)
}

/** As `traced`, within the span under way; where none is recorded, without one. */
export function tracedPart<Made>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Made>,
): Promise<Made> {
  const span = beginPart(name, options)
  return span === undefined ? work() : within(span, work)
}

/** Causes that are told apart, of work for many at once. */
const MAX_CAUSES = 20

/**
 * Does work that several traces caused: it is a span of the first, which has what is done within, and one of each other,
 * linked to that. Without causes it is no span.
 * @param causes traceparents
 */
export function tracedForAll<Made>(
  causes: readonly string[],
  name: string,
  options: SpanOptions,
  work: () => Promise<Made>,
): Promise<Made> {
  const [first, ...others] = [...new Set(causes)].slice(0, MAX_CAUSES)
  if (tracing === undefined || first === undefined) return work()
  const { begin } = tracing
  const span = begin(name, { ...options, parent: first, links: others })
  const rest = others.map((parent) => begin(name, { ...options, parent, links: [span.traceparent] }))
  return within(span, work).finally(() => {
    for (const other of rest) other.end()
  })
}

async function within<Made>(span: OpenSpan, work: () => Promise<Made>): Promise<Made> {
  try {
    return await span.run(work)
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
