import type { ManageApi } from '@befaqt/domain/api/manage-api'
import { listApiKeys } from '#server/accounts/keys/api-keys.ts'
import { listUsers } from '#server/accounts/managing/list-users.ts'
import { ledgerHealth } from '#server/anchoring/ledger-health.ts'
import { readHistory } from '#server/audit/read-history.ts'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { listManagedBoxes } from '#server/boxes/managing/list-managed-boxes.ts'
import { managedBox } from '#server/boxes/managing/managed-box.ts'
import { allCategories, listCategories } from '#server/catalogue/categories/list-categories.ts'
import { listProducts } from '#server/catalogue/products/list-products.ts'
import type { Deps } from '#server/deps.ts'
import { checkAccess } from '#server/identity/access.ts'
import { accessTable } from '#server/identity/access-table.ts'
import { type Asker, boxesOf } from '#server/identity/principal.ts'
import { listHeldMail } from '#server/mail/held-mail.ts'
import { attention } from '#server/ops/attention.ts'

/** What pages of managers read, for `asker`: the rule of the route that answers the same is checked first. */
export function manageApi(deps: Deps, asker: Asker): ManageApi {
  const allow = (route: string): void => checkAccess(accessTable[route] ?? 'admin', asker)
  return {
    manageUsers: async (query) => {
      allow('GET /api/user/all')
      return listUsers(deps.db, query)
    },
    manageCategories: async (query) => {
      allow('GET /api/category')
      return listCategories(deps.db, query)
    },
    manageProducts: async (query) => {
      allow('GET /api/product')
      return listProducts(deps.db, query, asker)
    },
    manageBoxes: async (query) => {
      allow('GET /api/manage/box')
      return listManagedBoxes(deps.db, query, deps.now(), boxesOf(asker))
    },
    manageBox: async (boxID) => {
      allow('GET /api/manage/box/:boxID')
      return managedBox(deps.db, boxIDOf({ boxID }, asker), deps.now())
    },
    categoryChoices: async () => {
      allow('GET /api/category')
      return allCategories(deps.db)
    },
    history: async (query) => {
      allow('GET /api/history')
      return readHistory(deps.db, query)
    },
    attention: async () => {
      allow('GET /api/manage/attention')
      return attention(deps)
    },
    heldMail: async (query) => {
      allow('GET /api/manage/mail')
      return listHeldMail(deps.db, query, deps.now())
    },
    keys: async () => {
      allow('GET /api/key')
      return listApiKeys(deps.db)
    },
    ledgerHealth: async () => {
      allow('GET /api/chain/health')
      return ledgerHealth(deps)
    },
  }
}
