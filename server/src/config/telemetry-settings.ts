import { z } from 'zod'

const number = z.coerce.number('must be a number')
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** Names of headers and of attributes. Source: RFC 9110 §5.6.2, token. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** `name=value` with commas between, values percent-encoded. Source: OpenTelemetry, environment variables; W3C Baggage. */
const pairs = z.string().transform((text, context) => {
  const found: Record<string, string> = {}
  for (const entry of text.split(',').filter((one) => one.trim() !== '')) {
    const at = entry.indexOf('=')
    const [name, value] = [entry.slice(0, at).trim(), decoded(entry.slice(at + 1).trim())]
    if (at < 1 || !NAME.test(name) || value === undefined || /[\r\n\0]/.test(value)) {
      context.addIssue('must be name=value, with commas between, and values percent-encoded')
      return z.NEVER
    }
    found[name] = value
  }
  return found
})

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** How the share of traces that are recorded is chosen. Source: OpenTelemetry, environment variables. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/**
 * Settings of traces and logs for a collector, by their names in OpenTelemetry, so that what an operator knows of other
 * programs is so here. Without an address nothing of it is loaded.
 */
export const telemetrySettings = {
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'must be true or false').default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf'], 'must be http/protobuf, which every collector takes on port 4318')
    .default('http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  /** Milliseconds. */
  OTEL_EXPORTER_OTLP_TIMEOUT: number.min(100).max(60_000).default(10_000),
  OTEL_EXPORTER_OTLP_COMPRESSION: z.enum(['none', 'gzip'], 'must be none or gzip').default('none'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  OTEL_LOGS_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('none'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`)
    .default('parentbased_always_on'),
  /** The share that the samplers by ratio record, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: number.min(0).max(1).default(1),
  /** Milliseconds between two messages to the collector, where they are not full before. */
  OTEL_BSP_SCHEDULE_DELAY: number.min(100).max(60_000).default(5_000),
  OTEL_SERVICE_NAME: z.string().max(200).default('befaqt'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
}

const Telemetry = z.object(telemetrySettings)
type Telemetry = z.infer<typeof Telemetry>

/** Where spans and lines of the log are sent, as the settings say; undefined: nowhere. */
export type Collector = { traces: string | undefined; logs: string | undefined }

/** The addresses of both signals: their own, or the common one with their path. Source: OpenTelemetry, OTLP exporter. */
export function collectorOf(settings: Telemetry): Collector | undefined {
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  const at = (path: string): string | undefined => base && `${base.replace(/\/$/, '')}/v1/${path}`
  const own = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? at('traces')
  const traces = settings.OTEL_TRACES_EXPORTER === 'none' ? undefined : own
  const lines = settings.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? at('logs')
  const logs = settings.OTEL_LOGS_EXPORTER === 'none' ? undefined : lines
  const isOff = settings.OTEL_SDK_DISABLED === 'true' || (traces ?? logs) === undefined
  return isOff ? undefined : { traces, logs }
}
