import { mkdir, writeFile } from 'node:fs/promises'
import { makeBox } from './journeys/make-box.ts'
import { plans } from './journeys/plans.ts'

/** Writes server/sample/boxes and the e-nose data files that they name. Run it after a change of plans. */
const folder = new URL('../server/sample/', import.meta.url)
await mkdir(new URL('boxes/', folder), { recursive: true })
await mkdir(new URL('enose/', folder), { recursive: true })
for (const plan of plans) {
  const { box, dataFiles } = makeBox(plan)
  await writeFile(new URL(`boxes/${box.boxID}.json`, folder), `${JSON.stringify(box, null, 1)}\n`)
  for (const { name, text } of dataFiles) await writeFile(new URL(name, folder), text)
}
