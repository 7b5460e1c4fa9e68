import type { ApiKeyView } from '@befaqt/domain/api-key'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { type BoxName, boxIds } from './beginning.ts'
import type { Choice, Model, Reading } from './model.ts'
import { type Act, type Storm, Violation } from './storm.ts'

const LOGGER = 'L-1'
const place = { latitude: -33.5, longitude: 150.5 }

const readingData = (storm: Storm, { minute, iotID, temperature }: Reading) => ({
  ...{ iotID, temperature, ...place },
  time: storm.timeOf(minute),
})

/** A temperature: cold most of the time. */
const temperature = (choice: Choice): number => (choice.once(3) ? 8 : 2) + choice.int(0, 9) / 10

const keysInUse = ({ keys }: Readonly<Model>) => keys.filter(({ revoked }) => !revoked)
const revokedKeys = ({ keys }: Readonly<Model>) => keys.filter(({ revoked }) => revoked)

/** Sends readings with a sensor's key. */
async function send(
  storm: Storm,
  choice: Choice,
  model: Model,
  box: BoxName,
  readings: readonly Reading[],
): Promise<boolean> {
  const { key } = choice.of(keysInUse(model))
  const payload = { readings: readings.map((reading) => ({ box, ...readingData(storm, reading) })) }
  const answer = await storm.ask('POST', '/api/tracking', { key, payload })
  const { accepted, duplicates, refused } = answer.json<{
    accepted: number
    duplicates: number
    refused: unknown[]
  }>()
  if (accepted + duplicates !== readings.length)
    throw new Violation('valid readings are stored', JSON.stringify(refused))
  return true
}

/** Sensors, corrections and keys. */
const coldChain: readonly Act[] = [
  {
    name: 'make a key',
    when: ({ keys }) => keys.length < 12,
    run: async (storm, model) => {
      const payload = { name: 'sensor', rights: ['record:write'] }
      const answer = await storm.ask('POST', '/api/key', { as: 'manager', payload })
      const { id, key } = answer.json<ApiKeyView & { key: string }>()
      model.keys.push({ id, key, revoked: false })
      return answer.statusCode === 201
    },
  },
  {
    name: 'send readings',
    weight: 5,
    when: (model) => keysInUse(model).length > 0,
    run: async (storm, model, choice) => {
      const box = choice.of(boxIds)
      const known = model.readings[box]
      const step = choice.int(10, 25)
      const after = Math.max(0, ...known.map(({ minute }) => minute))
      const warm = temperature(choice)
      const made = Array.from({ length: choice.int(2, 4) }, (_, i) => ({
        ...{ minute: after + (i + 1) * step, iotID: LOGGER },
        temperature: warm,
      }))
      const isLate = choice.once(2)
      model.late.push(...made.slice(0, isLate ? 1 : 0).map((reading) => ({ box, reading })))
      const inTime = made.slice(isLate ? 1 : 0)
      known.push(...inTime)
      return send(storm, choice, model, box, inTime)
    },
  },
  {
    name: 'send a late reading',
    weight: 3,
    when: (model) => model.late.length > 0 && keysInUse(model).length > 0,
    run: async (storm, model, choice) => {
      const late = choice.of(model.late)
      model.late = model.late.filter((one) => one !== late)
      const reading = { ...late.reading, temperature: temperature(choice) }
      model.readings[late.box].push(reading)
      return send(storm, choice, model, late.box, [reading])
    },
  },
  {
    name: 'correct a reading',
    weight: 3,
    when: ({ readings }) => boxIds.some((box) => readings[box].length > 0),
    run: async (storm, model, choice) => {
      const box = choice.of(boxIds.filter((one) => model.readings[one].length > 0))
      const reading = choice.of(model.readings[box])
      reading.temperature = temperature(choice)
      const data = readingData(storm, reading)
      const [record] = await rows<{ seq: number }>(
        storm.world.db,
        sql`select seq from records where box_id = ${box} and kind = 'tracking' and body::jsonb->>'at' = ${data.time}`,
      )
      const payload = { seq: record?.seq, reason: 'Wrong sensor', data }
      return storm.does('POST', `/api/box/${box}/correction`, { as: 'manager', payload })
    },
  },
  {
    name: 'revoke a key',
    when: (model) => keysInUse(model).length > 0,
    run: async (storm, model, choice) => {
      const key = choice.of(keysInUse(model))
      key.revoked = true
      return storm.does('DELETE', `/api/key/${key.id}`, { as: 'manager' })
    },
  },
  {
    name: 'be turned away with a revoked key',
    when: (model) => revokedKeys(model).length > 0,
    run: async (storm, model, choice) => {
      const { key } = choice.of(revokedKeys(model))
      const reading = { minute: 1, iotID: LOGGER, temperature: 2 }
      const payload = { readings: [{ box: choice.of(boxIds), ...readingData(storm, reading) }] }
      const answer = await storm.ask('POST', '/api/tracking', { key, payload, may: [401] })
      if (answer.statusCode !== 401) throw new Violation('a revoked key opens nothing', answer.body)
      return true
    },
  },
]

/** What a manager says of boxes. */
const boxes: readonly Act[] = [
  {
    name: 'recall a box',
    when: ({ recalled }) => recalled.size < boxIds.length - 1,
    run: async (storm, model, choice) => {
      const box = choice.of(boxIds.filter((one) => !model.recalled.has(one)))
      const payload = { reason: 'Too warm' }
      const done = await storm.does('POST', `/api/box/${box}/recall`, { as: 'manager', payload })
      if (done) model.recalled.add(box)
      return done
    },
  },
  {
    name: 'withdraw a recall',
    weight: 3,
    when: ({ recalled }) => recalled.size > 0,
    run: async (storm, model, choice) => {
      const box = choice.of([...model.recalled])
      const payload = { reason: 'The sensor was wrong' }
      const url = `/api/box/${box}/recall/withdrawal`
      const done = await storm.does('POST', url, { as: 'manager', payload })
      if (done) model.recalled.delete(box)
      return done
    },
  },
  {
    name: 'take a box off sale',
    when: ({ offSale }) => offSale.size < boxIds.length - 1,
    run: async (storm, model, choice) => {
      const box = choice.of(boxIds.filter((one) => !model.offSale.has(one)))
      const payload = { offSale: true, reason: 'To be looked at' }
      model.offSale.add(box)
      return storm.does('PUT', `/api/box/${box}/sale`, { as: 'manager', payload })
    },
  },
  {
    name: 'put a box back on sale',
    weight: 3,
    when: ({ offSale }) => offSale.size > 0,
    run: async (storm, model, choice) => {
      const box = choice.of([...model.offSale])
      model.offSale.delete(box)
      return storm.does('PUT', `/api/box/${box}/sale`, { as: 'manager', payload: { offSale: false } })
    },
  },
  {
    name: 'hand a box over',
    weight: 2,
    run: async (storm, model, choice) => {
      const box = choice.of(boxIds)
      const from = model.holders[box]
      const to = choice.of(
        ['Sample Carrier', 'Sample Market', 'Sample Kitchen'].filter((one) => one !== from),
      )
      const accepted = !choice.once(4)
      const last = Math.max(0, ...model.readings[box].map(({ minute }) => minute))
      const facts = { time: storm.timeOf(last), from, to, temperature: 1.5, accepted, ...place }
      const payload = { ...facts, reason: accepted ? '' : 'Too warm' }
      const done = await storm.does('POST', `/api/box/${box}/handover`, { as: 'manager', payload })
      if (done && accepted) model.holders[box] = to
      return done
    },
  },
]

/** What goes on by itself. */
const behind: readonly Act[] = [
  {
    name: 'send emails and settle payments',
    weight: 5,
    run: async ({ world }) => {
      await world.settle()
      return true
    },
  },
  {
    name: 'the mail server refuses, or takes again',
    weight: 2,
    run: async ({ world }, model) => {
      model.mailRefused = !model.mailRefused
      world.refuseMail(model.mailRefused)
      return true
    },
  },
  {
    name: 'anchor',
    run: async ({ world }) => {
      await world.anchor()
      return true
    },
  },
]

export const tracing: readonly Act[] = [...coldChain, ...boxes, ...behind]
