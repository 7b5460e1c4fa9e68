import type { FastifyInstance } from 'fastify'
import type { Metric } from './prometheus.ts'

/** Upper bounds in seconds: the defaults of Prometheus' clients. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Series = { labels: { method: string; route: string; status: number }; counts: number[]; sumS: number }

/**
 * Counts and times every response of `app`, by route pattern, so that URLs with ids share one series. Returns a function
 * that reads the metrics.
 */
export function requestTimes(app: FastifyInstance): () => Metric[] {
  const series = new Map<string, Series>()
  const byKind = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    }
    const kind = `${Math.floor(labels.status / 100)}xx`
    if (kind in byKind) byKind[kind as keyof typeof byKind]++
    const key = `${labels.method} ${labels.status} ${labels.route}`
    const one = series.get(key) ?? { labels, counts: BUCKETS_S.map(() => 0).concat(0), sumS: 0 }
    series.set(key, one)
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
      samples: [...series.values()].flatMap(samplesOf),
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
