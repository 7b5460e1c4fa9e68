import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import type { Config } from '#server/config/config.ts'
import { exporterOptions, type Outcome, reporting } from './reporting.ts'

/** Takes lines of the log to a collector. */
export type LineExport = {
  /** @param line as it was written, one JSON object */
  take(line: string): void
  stop(): Promise<void>
}

const MOST_WAITING = 4_096

/** By pino's levels. Source: OpenTelemetry, logs data model, 'Severity Fields'. */
const SEVERITIES: Readonly<Record<number, [number: number, text: string]>> = {
  10: [1, 'TRACE'],
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
  60: [21, 'FATAL'],
}

/** What is about a visitor's device and network stays on the machine. */
const KEPT_HERE = new Set(['network', 'agent', 'address'])
/** Said by the record itself. */
const OWN = new Set(['level', 'time', 'msg', 'trace_id', 'span_id', 'trace_flags'])

/** What a line of the log has. */
type Line = Record<string, unknown> & {
  level: number
  time: string
  msg?: string
  trace_id?: string
  span_id?: string
  trace_flags?: string
  err?: { type?: string; message?: string; stack?: string }
}

/** Opens the way of lines to the collector. */
export function openLineExport(config: Config, url: string, resource: Resource, told: Outcome): LineExport {
  const exporter = new OTLPLogExporter({ ...exporterOptions(config), url })
  const provider = new LoggerProvider({
    resource,
    processors: [
      new BatchLogRecordProcessor({
        exporter: reporting(exporter, 'logs', told),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT + 1_000,
      }),
    ],
  })
  const logger = provider.getLogger('befaqt')
  return {
    take: (text) => {
      const line: Line = JSON.parse(text)
      const [severityNumber, severityText] = SEVERITIES[line.level] ?? [0, '']
      logger.emit({
        timestamp: new Date(line.time),
        severityNumber,
        severityText,
        body: line.msg ?? '',
        attributes: attributesOf(line),
        context: contextOf(line),
      })
    },
    stop: () => provider.shutdown(),
  }
}

type Emitted = Parameters<ReturnType<LoggerProvider['getLogger']>['emit']>[0]

function attributesOf({ err, ...line }: Line): NonNullable<Emitted['attributes']> {
  const kept = Object.entries(line).filter(([name]) => !OWN.has(name) && !KEPT_HERE.has(name))
  const ofError = err && {
    'exception.type': err.type,
    'exception.message': err.message,
    'exception.stacktrace': err.stack,
  }
  return { ...Object.fromEntries(kept), ...ofError } as NonNullable<Emitted['attributes']>
}

const contextOf = ({ trace_id: traceId, span_id: spanId, trace_flags: flags }: Line) =>
  traceId === undefined || spanId === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16) })
