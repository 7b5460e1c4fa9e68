import { PictureProcess } from '#server/images/picture-process.ts'

/** Orders without end, and prints the id of the process that does it: for a test that kills this program. */
const pictures = new PictureProcess({ nice: 0, restMs: 600_000, limitMs: 600_000 })
const order = { kind: 'narrow', bytes: new Uint8Array(), width: 240, format: 'webp' } as const
const ordered = (): Promise<unknown> => pictures.do(order).catch(() => undefined)
await ordered()
console.log(pictures.pid)
for (;;) await ordered()
