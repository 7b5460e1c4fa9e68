import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { beginEnrolment, completeEnrolment } from '@befaqt/domain/api/endpoints/devices'
import { type DeviceLevel, Enrolment } from '@befaqt/domain/device'
import type { Signer } from '@befaqt/provenance/signed/signer'
import { z } from 'zod'

/** The address of this machine's server, unless a command names another. */
export const thisServer = (): string =>
  process.env.PUBLIC_URL ?? `http://localhost:${process.env.PORT ?? 3000}`

/** The operator key of this machine's server. @throws Error with a sentence when there is none */
export async function operatorKey(): Promise<string> {
  const folder = resolve(process.env.DATA_DIR ?? './data')
  const file = join(folder, 'operator.key')
  const key = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no key at ${file}. Start the server there once, set DATA_DIR, or give --key.`)
  })
  return key.trim()
}

/** Longest wait for an answer. */
const TIMEOUT_MS = 30_000

const Problem = z.object({
  error: z.object({
    message: z.string(),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
})

/** Where a command sends its calls, and with which key. */
export type Target = { server: string; key: string }

/**
 * Calls the API of a running server, and answers the JSON of its answer.
 * @throws Error with the server's own words when it refuses, or a sentence when it does not answer
 */
export async function callServer(
  { server, key }: Target,
  { method, url }: { method: string; url: string },
  body?: unknown,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(new URL(url, server), { method, headers, signal, ...sent }).catch(() => {
    throw new Error(`The server at ${server} does not answer.`)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  const { error } = Problem.safeParse(answer).data ?? { error: { message: '', fields: [] } }
  const fields = (error.fields ?? []).map(({ path, message }) => `${path}: ${message}`)
  throw new Error(`Refused (${response.status}): ${fields.length > 0 ? fields.join('; ') : error.message}`)
}

/** Registers a device at a running server: shows its public key, and signs what the server answers. */
export async function enrol(
  target: Target,
  signer: Signer,
  device: { name: string; level: DeviceLevel; validFrom?: string },
): Promise<void> {
  const publicKey = Buffer.from(signer.publicKey).toString('hex')
  const { id, message } = Enrolment.parse(await callServer(target, beginEnrolment, { ...device, publicKey }))
  const signature = Buffer.from(signer.sign(Buffer.from(message, 'hex'))).toString('hex')
  const { method } = completeEnrolment
  await callServer(target, { method, url: urlOf(completeEnrolment, { params: { id } }) }, { signature })
}
