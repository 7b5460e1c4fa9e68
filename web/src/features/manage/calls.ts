import type { ManagedAccount } from '@befaqt/domain/account'
import type {
  BulkChanged,
  FailedEmail,
  ImportReport,
  ManagedCategory,
  ManagedProduct,
  ManagedUser,
  Undone,
} from '@befaqt/domain/api/manage-api'
import type { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import { type Progress, send } from './send.ts'

const part = encodeURIComponent

/** A change in price for many: a new one, so much more or less in dollars, or so many times as much. */
export type BulkUpdate = {
  status?: ManagedProduct['status']
  stock?: number
  priceValue?: number
  priceDelta?: number
  priceFactor?: number
}

type Kept = { _id: string; version: number }

/** Calls that change what the shop sells and who may manage it. Failures are `ShopError`s. Source: spec §7. */
export const manageCalls = {
  saveUser: ({ _id, version }: Kept, body: Partial<ManagedAccount>) =>
    send<ManagedUser>('PATCH', `/api/user/${part(_id)}`, body, { version }),
  deleteUser: ({ _id }: Kept) => send<void>('DELETE', `/api/user/${part(_id)}`),

  createCategory: (form: FormData, onProgress: Progress) =>
    send<ManagedCategory>('POST', '/api/category', form, { onProgress }),
  saveCategory: ({ _id, version }: Kept, form: FormData, onProgress: Progress) =>
    send<ManagedCategory>('PATCH', `/api/category/${part(_id)}`, form, { version, onProgress }),
  deleteCategory: ({ _id, version }: Kept) =>
    send<void>('DELETE', `/api/category/${part(_id)}`, undefined, { version }),

  createProduct: (form: FormData, onProgress: Progress) =>
    send<ManagedProduct>('POST', '/api/product', form, { onProgress }),
  saveProduct: ({ _id, version }: Kept, form: FormData, onProgress: Progress) =>
    send<ManagedProduct>('PATCH', `/api/product/${part(_id)}`, form, { version, onProgress }),
  deleteProduct: ({ _id, version }: Kept) =>
    send<void>('DELETE', `/api/product/${part(_id)}`, undefined, { version }),
  bulk: (ids: readonly string[], set: BulkUpdate) =>
    send<{ rows: BulkChanged[] }>('POST', '/api/product/bulk', { ids, set }),
  undoBulk: (changes: readonly number[]) => send<Undone>('POST', '/api/product/bulk/undo', { changes }),
  sendMailAgain: ({ _id }: FailedEmail) => send<FailedEmail>('POST', `/api/manage/mail/${part(_id)}/again`),
  sendAllMailAgain: () => send<{ count: number }>('POST', '/api/manage/mail/again'),
  giveUpMail: ({ _id }: FailedEmail) => send<void>('DELETE', `/api/manage/mail/${part(_id)}`),
  makeKey: (input: NewApiKey) => send<ApiKeyView & { key: string }>('POST', '/api/key', input),
  revokeKey: ({ id }: ApiKeyView) => send<unknown>('DELETE', `/api/key/${part(id)}`),
  previewImport: (csv: string) => send<ImportReport>('POST', '/api/product/import?dryRun=1', csv),
  applyImport: (csv: string) => send<ImportReport>('POST', '/api/product/import', csv),
} as const
