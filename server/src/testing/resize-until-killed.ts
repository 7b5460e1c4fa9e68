import { ImageWorker } from '#server/images/image-processor.ts'

/** Runs image tasks until it is killed, and prints the id of the worker process: for a test that kills this program. */
const worker = new ImageWorker({ nice: 0, idleMs: 600_000, timeoutMs: 600_000 })
const task = { kind: 'resize', bytes: new Uint8Array(), width: 240, format: 'webp' } as const
const run = (): Promise<unknown> => worker.run(task).catch(() => undefined)
await run()
console.log(worker.pid)
for (;;) await run()
