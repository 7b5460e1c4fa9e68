import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { chainHealth } from '#server/anchoring/chain-health.ts'
import { rows } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import type { Intake } from '#server/ingestion/intake.ts'
import { FreshCache } from './fresh-cache.ts'

/** Figures that cost a look at the database are this old at most. */
const FRESH_MS = 5_000

type Metric = {
  name: string
  help: string
  type: 'gauge' | 'counter'
  value: number | { label: string; counts: Readonly<Record<string, number>> }
}

/** `GET /metrics`: how the process, the queue and the ledger are doing, as Prometheus text. Source: running.md. */
export function metricsRoutes(app: FastifyInstance, deps: Deps): void {
  const answered = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  app.addHook('onResponse', async (_request, reply) => {
    const kind = `${Math.floor(reply.statusCode / 100)}xx`
    if (kind in answered) answered[kind as keyof typeof answered]++
  })
  const loop = monitorEventLoopDelay()
  loop.enable()
  app.addHook('onClose', async () => void loop.disable())
  const kept = new FreshCache<Metric[]>(1)
  const slow = (): Promise<Metric[]> =>
    kept.get('figures', () => {
      setTimeout(() => kept.clear(), FRESH_MS).unref()
      return storedFigures(deps)
    })
  app.get('/metrics', async (_request, reply) => {
    const process_ = [...processFigures(answered, loop.percentile(99) / 1e9), ...intakeFigures(deps.intake)]
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(textOf([...process_, ...(await slow())]))
  })
}

const processFigures = (answered: Record<string, number>, loopS: number): Metric[] => [
  {
    name: 'befaqt_http_responses_total',
    help: 'Answers by status.',
    type: 'counter',
    value: { label: 'status', counts: answered },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory in use.',
    type: 'gauge',
    value: process.memoryUsage.rss(),
  },
  { name: 'nodejs_eventloop_lag_p99_seconds', help: 'Event loop delay.', type: 'gauge', value: loopS },
  { name: 'process_uptime_seconds', help: 'Since start.', type: 'gauge', value: process.uptime() },
]

const intakeFigures = ({ counts, broker }: Intake): Metric[] => [
  {
    name: 'befaqt_readings_total',
    help: 'Readings that came over HTTP or MQTT, by what became of them.',
    type: 'counter',
    value: { label: 'outcome', counts },
  },
  {
    name: 'befaqt_mqtt_up',
    help: '1 when this process listens for devices, or is the one connected to the MQTT broker.',
    type: 'gauge',
    value: broker.up ? 1 : 0,
  },
  {
    name: 'befaqt_mqtt_devices',
    help: 'Devices connected to this process.',
    type: 'gauge',
    value: broker.devices,
  },
]

async function storedFigures(deps: Deps): Promise<Metric[]> {
  const health = await chainHealth(deps)
  const [jobs] = await rows<{ waiting: number; failed: number; oldest: number }>(
    deps.db,
    sql`select count(*) filter (where failed_at is null)::int as waiting,
          count(*) filter (where failed_at is not null)::int as failed,
          coalesce(extract(epoch from now() - min(run_at) filter (where failed_at is null and run_at <= now())), 0)::float as oldest
        from jobs`,
  )
  const gauge = (name: string, help: string, value: number): Metric => ({ name, help, type: 'gauge', value })
  return [
    gauge('befaqt_jobs_waiting', 'Jobs that are not done.', jobs?.waiting ?? 0),
    gauge('befaqt_jobs_failed', 'Jobs given up; an operator should look.', jobs?.failed ?? 0),
    gauge('befaqt_jobs_oldest_due_seconds', 'How long the oldest due job waits.', jobs?.oldest ?? 0),
    gauge('befaqt_chain_reachable', '1 when the chain answers.', health.reachable ? 1 : 0),
    gauge('befaqt_chain_fault', '1 when anchoring waits for an operator.', health.fault === null ? 0 : 1),
    gauge('befaqt_records_pending', 'Records that no confirmed anchor covers.', health.pendingRecords),
    gauge('befaqt_anchor_lag_seconds', 'How long the oldest pending record waits.', health.lagS),
  ]
}

/** Source: Prometheus text format 0.0.4. */
function textOf(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, value }) => {
      const lines =
        typeof value === 'number'
          ? [`${name} ${value}`]
          : Object.entries(value.counts).map(([kind, count]) => `${name}{${value.label}="${kind}"} ${count}`)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
    })
    .join('')
}
