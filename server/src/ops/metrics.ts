import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { endpoint } from '@befaqt/domain/api/endpoint'
import type { FastifyInstance } from 'fastify'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import type { EventFeed } from '#server/db/event-feed.ts'
import { countSlowStatements } from '#server/db/slow-statements.ts'
import type { FileErrors } from '#server/files/file-store.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import type { IngestionState } from '#server/ingestion/index.ts'
import { lostTelemetry } from '#server/tracing/telemetry.ts'
import { type PolledMetricsDeps, polledMetrics } from './polled-metrics.ts'
import { byLabel, gauge, type Metric, textOf } from './prometheus.ts'
import type { Ready } from './readiness.ts'
import { type Build, thisBuild } from './this-build.ts'

const metricsOperations = defineRoutes(
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
  const own = processMetrics(thisBuild)
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
      '1 when this process listens for devices, or is connected to the MQTT broker for all that it is to take.',
      broker.up ? 1 : 0,
    ),
    byLabel(
      'gauge',
      'befaqt_mqtt_shares',
      'Connected sessions of this process at the MQTT broker: shared with other processes, or alone.',
      'way',
      { shared: 0, alone: 0, ...(broker.way && { [broker.way]: broker.shares.up }) },
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
    {
      name: 'befaqt_slow_statements_total',
      help: 'Statements that took as long as SLOW_STATEMENT_MS, or longer.',
      type: 'counter',
      samples: [{ value: countSlowStatements() }],
    },
    byLabel(
      'counter',
      'befaqt_telemetry_lost_total',
      'Spans and lines of the log that no collector took, by signal.',
      'signal',
      lostTelemetry(),
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

/** Metrics that cost nothing to read: memory, event loop, build. `stop` ends the monitoring of the event loop. */
function processMetrics({ version, build, node }: Build): { read(): Metric[]; stop(): void } {
  const loop = monitorEventLoopDelay()
  loop.enable()
  return {
    read: () => {
      const { rss, heapUsed, external } = process.memoryUsage()
      return [
        gauge('befaqt_build_info', 'What runs, always 1.', 1, { version, build, node }),
        gauge('process_resident_memory_bytes', 'Memory in use.', rss),
        gauge('nodejs_heap_size_used_bytes', 'Memory of objects.', heapUsed),
        gauge('nodejs_external_memory_bytes', 'Memory of buffers beside them.', external),
        gauge(
          'befaqt_child_processes_resident_memory_bytes',
          'Memory of the processes that decode pictures.',
          childMemory(),
        ),
        gauge('nodejs_eventloop_lag_p99_seconds', 'Event loop delay.', loop.percentile(99) / 1e9),
        gauge('process_uptime_seconds', 'Since start.', process.uptime()),
      ]
    },
    stop: () => void loop.disable(),
  }
}

const PAGE_BYTES = 4096

/** Resident bytes of all running child processes; 0 on systems without /proc. Source: Linux, proc(5). */
function childMemory(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
    const pages = (pid: string): number => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return children === '' ? 0 : children.split(' ').reduce((sum, pid) => sum + pages(pid) * PAGE_BYTES, 0)
  } catch {
    return 0
  }
}

/** Upper bounds in seconds: the defaults of Prometheus' clients. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Kinds of status by their first digit. */
const KINDS = [undefined, undefined, '2xx', '3xx', '4xx', '5xx'] as const

type Series = { labels: { method: string; route: string; status: number }; counts: number[]; sumS: number }

/** The value of a key, made when it is missing. */
function made<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const value = make()
  map.set(key, value)
  return value
}

/**
 * Counts and times every response of `app`, by route pattern, so that URLs with ids share one series. Returns a function
 * that reads the metrics.
 */
function requestTimes(app: FastifyInstance): () => Metric[] {
  const series = new Map<string, Map<string, Map<number, Series>>>()
  const byKind = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  app.addHook('onResponse', (request, reply, done) => {
    const { method, matched } = request
    const { statusCode: status } = reply
    const kind = KINDS[Math.floor(status / 100)]
    if (kind !== undefined) byKind[kind]++
    const route = matched?.url ?? 'none' // what is no address at all matches nothing
    const ofMethod = made(
      made(series, route, () => new Map<string, Map<number, Series>>()),
      method,
      () => new Map<number, Series>(),
    )
    const one = made(ofMethod, status, () => ({
      labels: { method, route, status },
      counts: BUCKETS_S.map(() => 0).concat(0),
      sumS: 0,
    }))
    const took = reply.elapsedTime / 1000
    const bucket = BUCKETS_S.findIndex((bound) => took <= bound)
    const index = bucket < 0 ? BUCKETS_S.length : bucket
    one.counts[index] = (one.counts[index] ?? 0) + 1
    one.sumS += took
    done()
  })
  return () => [
    {
      name: 'befaqt_http_responses_total',
      help: 'Answers by kind of status.',
      type: 'counter',
      samples: Object.entries(byKind).map(([status, value]) => ({ labels: { status }, value })),
    },
    {
      name: 'befaqt_http_request_duration_seconds',
      help: 'Answers and how long they took, by route, method and status.',
      type: 'histogram',
      samples: [...series.values()]
        .flatMap((ofRoute) => [...ofRoute.values()])
        .flatMap((ofMethod) => [...ofMethod.values()])
        .flatMap(samplesOf),
    },
  ]
}

/** Cumulative counts, as the format requires. */
function samplesOf({ labels, counts, sumS }: Series): Metric['samples'] {
  let sum = 0
  const buckets = counts.map((count, i) => {
    sum += count
    return { suffix: '_bucket', labels: { ...labels, le: BUCKETS_S[i] ?? '+Inf' }, value: sum }
  })
  return [...buckets, { suffix: '_sum', labels, value: sumS }, { suffix: '_count', labels, value: sum }]
}
