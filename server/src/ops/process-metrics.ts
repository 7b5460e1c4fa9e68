import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Build } from './build.ts'
import { gauge, type Metric } from './prometheus.ts'

/** Metrics that cost nothing to read: memory, event loop, build. `stop` ends the monitoring of the event loop. */
export function processMetrics({ version, build, node }: Build): { read(): Metric[]; stop(): void } {
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
