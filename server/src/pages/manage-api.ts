import type { ManageApi } from '@befaqt/domain/api/manage-api'
import { listApiKeys } from '#server/accounts/keys/api-keys.ts'
import { keyCalls } from '#server/accounts/keys/routes.ts'
import { listUsers } from '#server/accounts/managing/list-users.ts'
import { userCalls } from '#server/accounts/managing/routes.ts'
import { ledgerHealth } from '#server/anchoring/ledger-health.ts'
import { ledgerCalls } from '#server/anchoring/routes.ts'
import { readHistory } from '#server/audit/read-history.ts'
import { historyCalls } from '#server/audit/routes.ts'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { listManagedBoxes } from '#server/boxes/managing/list-managed-boxes.ts'
import { managedBox } from '#server/boxes/managing/managed-box.ts'
import { boxManageCalls } from '#server/boxes/managing/routes.ts'
import { allCategories, listCategories } from '#server/catalogue/categories/list-categories.ts'
import { categoryCalls } from '#server/catalogue/categories/routes.ts'
import { listProducts } from '#server/catalogue/products/list-products.ts'
import { productCalls } from '#server/catalogue/products/routes.ts'
import type { Deps } from '#server/deps.ts'
import type { Route } from '#server/http/route.ts'
import { checkAccess } from '#server/identity/access.ts'
import { type Asker, boxesOf } from '#server/identity/principal.ts'
import { listHeldMail } from '#server/mail/held-mail.ts'
import { mailCalls } from '#server/mail/routes.ts'
import { attention, attentionCalls } from '#server/ops/attention.ts'

/** What pages of managers read, for `asker`: the rule of the route that answers the same is checked first. */
export function manageApi(deps: Deps, asker: Asker): ManageApi {
  const allow = ({ access }: Pick<Route, 'access'>): void => checkAccess(access, asker)
  return {
    manageUsers: async (query) => {
      allow(userCalls.listUsers)
      return listUsers(deps.db, query)
    },
    manageCategories: async (query) => {
      allow(categoryCalls.listCategories)
      return listCategories(deps.db, query)
    },
    manageProducts: async (query) => {
      allow(productCalls.listProducts)
      return listProducts(deps.db, query, asker)
    },
    manageBoxes: async (query) => {
      allow(boxManageCalls.listManagedBoxes)
      return listManagedBoxes(deps.db, query, deps.now(), boxesOf(asker))
    },
    manageBox: async (boxID) => {
      allow(boxManageCalls.readManagedBox)
      return managedBox(deps.db, boxIDOf({ boxID }, asker), deps.now())
    },
    categoryChoices: async () => {
      allow(categoryCalls.listCategories)
      return allCategories(deps.db)
    },
    history: async (query) => {
      allow(historyCalls.readHistory)
      return readHistory(deps.db, query)
    },
    attention: async () => {
      allow(attentionCalls.readAttention)
      return attention(deps)
    },
    heldMail: async (query) => {
      allow(mailCalls.listHeldMail)
      return listHeldMail(deps.db, query, deps.now())
    },
    keys: async () => {
      allow(keyCalls.listKeys)
      return listApiKeys(deps.db)
    },
    ledgerHealth: async () => {
      allow(ledgerCalls.readLedgerHealth)
      return ledgerHealth(deps)
    },
  }
}
