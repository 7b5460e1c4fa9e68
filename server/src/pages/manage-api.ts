import type { ManageApi } from '@befaqt/domain/api/manage-api'
import { listApiKeys } from '#server/accounts/keys/api-keys.ts'
import { keyOperations } from '#server/accounts/keys/routes.ts'
import { listUsers } from '#server/accounts/managing/list-users.ts'
import { userOperations } from '#server/accounts/managing/routes.ts'
import { ledgerHealth } from '#server/anchoring/ledger-health.ts'
import { ledgerOperations } from '#server/anchoring/routes.ts'
import { readHistory } from '#server/audit/read-history.ts'
import { historyOperations } from '#server/audit/routes.ts'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { listManagedBoxes } from '#server/boxes/managing/list-managed-boxes.ts'
import { managedBox } from '#server/boxes/managing/managed-box.ts'
import { boxManageOperations } from '#server/boxes/managing/routes.ts'
import { allCategories, listCategories } from '#server/catalogue/categories/list-categories.ts'
import { categoryOperations } from '#server/catalogue/categories/routes.ts'
import { listProducts } from '#server/catalogue/products/list-products.ts'
import { productOperations } from '#server/catalogue/products/routes.ts'
import type { Route } from '#server/http/route.ts'
import { authorize } from '#server/identity/access.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { listFailedEmails } from '#server/mail/failed-emails.ts'
import { mailOperations } from '#server/mail/routes.ts'
import { type AttentionDeps, attention, attentionOperations } from '#server/ops/attention.ts'

/** The `ManageApi` for server rendering, on behalf of `principal`. Each call checks the access rule of its route first. */
export function manageApi(deps: AttentionDeps, principal: Principal): ManageApi {
  const allow = ({ access }: Pick<Route, 'access'>): void => authorize(access, principal)
  return {
    manageUsers: async (query) => {
      allow(userOperations.listUsers)
      return listUsers(deps.db, query)
    },
    manageCategories: async (query) => {
      allow(categoryOperations.listCategories)
      return listCategories(deps.db, query)
    },
    manageProducts: async (query) => {
      allow(productOperations.listProducts)
      return listProducts(deps.db, query, principal)
    },
    manageBoxes: async (query) => {
      allow(boxManageOperations.listManagedBoxes)
      return listManagedBoxes(deps.db, query, deps.now(), allowedBoxes(principal))
    },
    manageBox: async (boxID) => {
      allow(boxManageOperations.readManagedBox)
      return managedBox(deps.db, boxIDOf({ boxID }, principal), deps.now())
    },
    categoryChoices: async () => {
      allow(categoryOperations.listCategories)
      return allCategories(deps.db)
    },
    history: async (query) => {
      allow(historyOperations.readHistory)
      return readHistory(deps.db, query)
    },
    attention: async () => {
      allow(attentionOperations.readAttention)
      return attention(deps)
    },
    heldMail: async (query) => {
      allow(mailOperations.listHeldMail)
      return listFailedEmails(deps.db, query, deps.now())
    },
    keys: async () => {
      allow(keyOperations.listKeys)
      return listApiKeys(deps.db)
    },
    ledgerHealth: async () => {
      allow(ledgerOperations.readLedgerHealth)
      return ledgerHealth(deps)
    },
  }
}
