import type { Registration } from '@befaqt/domain/box-input'
import type { BoxRecord, ProofBundle } from '@befaqt/provenance'
import { fetchJson } from '#web/api/fetch-json.ts'
import { send } from '../send.ts'
import type { NewCatch } from './box-forms.ts'

type Made = { seq: number }
export type BoxLink = { product_id: string; quantity: number }

const path = (boxID: string, what: string): string => `/api/box/${encodeURIComponent(boxID)}/${what}`

/** Calls that write the history of a box. Records are only added. Failures are `ShopError`s. */
export const boxCalls = {
  register: (body: Registration) => send<{ boxID: string }>('POST', '/api/box/registration', body),
  addCatch: (boxID: string, body: NewCatch) => send<Made>('POST', path(boxID, 'catch'), body),
  correct: (boxID: string, body: { seq: number; reason: string; data: unknown }) =>
    send<Made>('POST', path(boxID, 'correction'), body),
  seal: (boxID: string, reason: string) =>
    send<Made>('POST', path(boxID, 'seal'), reason === '' ? {} : { reason }),
  link: (boxID: string, links: readonly BoxLink[]) => send<unknown>('PUT', path(boxID, 'products'), links),
  /** Every record with what it says; withheld ones are left out. */
  records: async (boxID: string): Promise<BoxRecord[]> => {
    const { records } = await fetchJson<ProofBundle>(path(boxID, 'proof'), { cache: 'no-store' })
    return records.filter((record) => 'data' in record)
  },
} as const

/** Where the printable label of a box is. */
export const labelAddress = (boxID: string): string => path(boxID, 'label.svg')
