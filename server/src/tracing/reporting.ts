import type { ExportResult } from '@opentelemetry/core'
import { ExportResultCode } from '@opentelemetry/core'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import type { Config } from '#server/config/config.ts'

/** Told of each message to the collector: how many spans or lines it had, and why it was not taken; undefined: it was. */
export type Outcome = (what: 'traces' | 'logs', count: number, error: Error | undefined) => void

type Exporter<Item> = {
  export(items: Item[], done: (result: ExportResult) => void): void
  shutdown(): Promise<void>
  forceFlush?(): Promise<void>
}
type Reporting<Item> = Required<Exporter<Item>>

/** An exporter that tells what becomes of its messages. What waits behind a message that failed is sent all the same. */
export const reporting = <Item>(
  exporter: Exporter<Item>,
  what: 'traces' | 'logs',
  told: Outcome,
): Reporting<Item> => ({
  export: (items, done) =>
    exporter.export(items, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS
      told(what, items.length, isTaken ? undefined : (result.error ?? new Error('It was not taken.')))
      done({ code: ExportResultCode.SUCCESS })
    }),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})

/** What both exporters share. */
export const exporterOptions = (config: Config) => ({
  headers: { ...config.OTEL_EXPORTER_OTLP_HEADERS },
  timeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT,
  compression:
    config.OTEL_EXPORTER_OTLP_COMPRESSION === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
})
