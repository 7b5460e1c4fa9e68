import { hostname } from 'node:os'
import {
  type Attributes as ApiAttributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { isTracingSuppressed, parseTraceParent, suppressTracing } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '#server/config/config.ts'
import type { Collector } from '#server/config/telemetry-settings.ts'
import { type LineExport, openLineExport } from './line-export.ts'
import { traceOutgoingCalls } from './outgoing-calls.ts'
import { exporterOptions, type Outcome, reporting } from './reporting.ts'
import { type OpenSpan, type SpanOptions, type Tracing, useTracing } from './trace.ts'

/** Spans that wait to be sent; more are dropped, so that a collector that is away costs no memory. */
const MOST_WAITING = 4_096
const A_MESSAGE = 512
/** Characters of an attribute, statements are the longest. */
const LONGEST = 4_096

/** Traces and lines of the log on their way to a collector. */
export type Telemetry = {
  /** Names of the span under way, for a line of the log. */
  ids(): Record<string, string>
  /** Takes lines of the log to the collector; undefined: they are not wanted. */
  lines: LineExport | undefined
  /** Sends what waits, for no longer than a moment, and stops. */
  stop(): Promise<void>
}

const SPAN_KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/** Starts tracing for this process, by the official packages, which only this file and its neighbours load. */
export function startOpenTelemetry(config: Config, to: Collector, told: Outcome): Telemetry {
  const resource = resourceFromAttributes({
    'host.name': hostname(),
    'process.pid': process.pid,
    ...config.OTEL_RESOURCE_ATTRIBUTES,
    'service.name': config.OTEL_SERVICE_NAME,
  })
  const lines = to.logs === undefined ? undefined : openLineExport(config, to.logs, resource, told)
  const stopTraces = to.traces === undefined ? undefined : startTraces(config, to.traces, resource, told)
  return {
    ids: () => {
      const span = trace.getSpan(context.active())?.spanContext()
      return span === undefined
        ? {}
        : { trace_id: span.traceId, span_id: span.spanId, trace_flags: hexByte(span.traceFlags) }
    },
    lines,
    stop: async () => {
      await Promise.allSettled([stopTraces?.(), lines?.stop()])
    },
  }
}

function startTraces(
  config: Config,
  url: string,
  resource: ReturnType<typeof resourceFromAttributes>,
  told: Outcome,
): () => Promise<void> {
  const exporter = new OTLPTraceExporter({ ...exporterOptions(config), url })
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(config),
    spanLimits: { attributeValueLengthLimit: LONGEST, attributeCountLimit: 32, linkCountLimit: 32 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, 'traces', told),
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: A_MESSAGE,
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT + 1_000,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  useTracing(tracingBy(provider))
  const stopCalls = traceOutgoingCalls(() => !isTracingSuppressed(context.active()))
  return async () => {
    stopCalls()
    useTracing(undefined)
    await provider.shutdown()
    context.disable()
  }
}

/** By the names of OpenTelemetry. */
function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Config): Sampler {
  const root = name.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(share)
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function tracingBy(provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('befaqt')
  return {
    begin: (name, { kind, attributes = {}, parent, links = [] }: SpanOptions) => {
      const under = parent === undefined ? context.active() : contextOf(parent)
      const span = tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : SPAN_KINDS[kind],
          attributes: attributes as ApiAttributes,
          links: links.flatMap((one) => parseTraceParent(one) ?? []).map((one) => ({ context: one })),
        },
        under,
      )
      return opened(span, trace.setSpan(under, span))
    },
    current: () => {
      const now = context.active()
      const span = trace.getSpan(now)
      return span?.isRecording() ? opened(span, now) : undefined
    },
    apart: (work) => context.with(suppressTracing(ROOT_CONTEXT), work),
  }
}

function contextOf(traceparent: string | null): Context {
  const parent = traceparent === null ? null : parseTraceParent(traceparent)
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

const opened = (span: Span, within: Context): OpenSpan => ({
  run: (work) => context.with(within, work),
  name: (name) => void span.updateName(name),
  set: (attributes) => void span.setAttributes(attributes as ApiAttributes),
  fail: (error) => {
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (error !== undefined) span.setAttribute('error.type', kindOf(error))
  },
  link: (traceparent) => {
    const other = parseTraceParent(traceparent)
    if (other !== null) span.addLink({ context: other })
  },
  end: () => {
    if (span.isRecording()) span.end()
  },
  get traceparent() {
    return traceparentOf(span.spanContext())
  },
})

const hexByte = (flags: number): string => flags.toString(16).padStart(2, '0')

/** Source: W3C Trace Context, §3.2. */
const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${hexByte(traceFlags & 1)}`

/** A code of a library or of ours, or the name of the error's class: never its message. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
