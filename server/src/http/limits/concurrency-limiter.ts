/** Runs work for `key` when one of its slots is free. */
export type ConcurrencyLimiter = <Made>(key: string, work: () => Promise<Made> | Made) => Promise<Made>

/** `since`: when the work began, in milliseconds of `performance.now()`. */
type Slot = { since: number }
type Queue = { running: Set<Slot>; waiting: ((slot: Slot) => void)[] }

/** How much work of one key runs and waits at the same time, and for how long a task can hold its slot. */
export type ConcurrencyLimits = { maxConcurrent: number; maxWaiting: number; slotMs: number }

/**
 * Limits how many tasks of each key run at the same time; more wait, first in, first out, without delaying other keys.
 * A task that never ends loses its slot.
 * @param reject makes the error when the queue is full
 */
export function concurrencyLimiter(
  { maxConcurrent, maxWaiting, slotMs }: ConcurrencyLimits,
  reject: () => Error,
): ConcurrencyLimiter {
  const queues = new Map<string, Queue>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { running: new Set(), waiting: [] }
    queues.set(key, queue)
    if (queue.running.size >= maxConcurrent) expireSlots(queue, performance.now() - slotMs)
    if (queue.running.size >= maxConcurrent && queue.waiting.length >= maxWaiting) throw reject()
    const slot = queue.running.size < maxConcurrent ? begin(queue) : await enqueue(queue)
    try {
      return await work()
    } finally {
      if (queue.running.delete(slot)) startNext(queue)
      if (queue.running.size === 0 && queues.get(key) === queue) queues.delete(key)
    }
  }
}

const enqueue = (queue: Queue): Promise<Slot> => new Promise((resume) => queue.waiting.push(resume))

function begin(queue: Queue): Slot {
  const slot = { since: performance.now() }
  queue.running.add(slot)
  return slot
}

/** Gives a free slot to the task that has waited longest. */
function startNext(queue: Queue): void {
  const resume = queue.waiting.shift()
  if (resume !== undefined) resume(begin(queue))
}

/** Frees the slots of tasks that began before `before`. */
function expireSlots(queue: Queue, before: number): void {
  for (const slot of queue.running) {
    if (slot.since > before) return
    queue.running.delete(slot)
    startNext(queue)
  }
}
