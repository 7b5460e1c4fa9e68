import { endpoint } from '@befaqt/domain/api/endpoint'
import type { FastifyInstance } from 'fastify'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import type { EventFeed } from '#server/db/event-feed.ts'
import type { FileErrors } from '#server/files/count-errors.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { ImageProcessor } from '#server/images/port.ts'
import type { IngestionState } from '#server/ingestion/box-state-cache.ts'
import { readBuild } from './build.ts'
import { type PolledMetricsDeps, polledMetrics } from './polled-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { byLabel, gauge, type Metric, textOf } from './prometheus.ts'
import type { Ready } from './readiness.ts'
import { requestTimes } from './request-times.ts'

export const metricsOperations = defineRoutes(
  { readMetrics: endpoint('GET', '/metrics') },
  {
    readMetrics: {
      summary: 'Metrics of process, queue and ledger.',
      access: 'public',
      limits: 'metrics',
      skipAuthentication: true,
      responses: { 200: 'text/plain' },
    },
  },
)

export type MetricsDeps = PolledMetricsDeps & {
  ingestion: IngestionState
  fileErrors: FileErrors
  images: ImageProcessor
  events: EventFeed
}

/** `GET /metrics`: metrics of process, queue and ledger as Prometheus text, without waiting. Source: running.md. */
export function metricsRoutes(app: FastifyInstance, deps: MetricsDeps, ready: Ready): void {
  const requests = requestTimes(app)
  const own = processMetrics(readBuild())
  const polled = polledMetrics(deps, ready)
  app.addHook('onClose', async () => {
    own.stop()
    polled.stop()
  })
  registerRoute(app, metricsOperations.readMetrics, ({ reply }) =>
    reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(textOf([...requests(), ...own.read(), ...appMetrics(deps), ...polled.read()])),
  )
}

/** Counters of this process. */
function appMetrics({ ingestion, database, fileErrors, images, events }: MetricsDeps): Metric[] {
  const { counts, broker } = ingestion
  const pool = database.pool()
  const { stuck, inHand } = images.stats()
  return [
    byLabel(
      'counter',
      'befaqt_readings_total',
      'Readings received over HTTP or MQTT, by outcome.',
      'outcome',
      counts,
    ),
    gauge(
      'befaqt_mqtt_up',
      '1 when this process listens for devices, or is the one connected to the MQTT broker.',
      broker.up ? 1 : 0,
    ),
    gauge('befaqt_mqtt_devices', 'Devices connected to this process.', broker.devices),
    gauge(
      'befaqt_leader',
      '1 when this is the process that anchors.',
      database.leads(advisoryLocks.anchoring) ? 1 : 0,
    ),
    {
      name: 'befaqt_file_errors_total',
      help: 'Files that could not be written, read or removed.',
      type: 'counter',
      samples: [{ value: fileErrors.count }],
    },
    gauge(
      'befaqt_events_behind',
      'Events of the outbox that this process had not read at its last look.',
      events.behind,
    ),
    gauge('befaqt_pictures_in_hand', 'Pictures being decoded or encoded.', inHand),
    {
      name: 'befaqt_picture_decoders_killed_total',
      help: 'Image workers that were killed after a timeout.',
      type: 'counter',
      samples: [{ value: stuck }],
    },
    ...(pool === undefined
      ? []
      : [
          byLabel('gauge', 'befaqt_database_connections', 'Connections to the database.', 'state', {
            total: pool.total,
            idle: pool.idle,
          }),
          gauge('befaqt_database_waiting', 'Queries waiting for a connection.', pool.waiting),
        ]),
  ]
}
