import type { Page } from 'playwright-core'

/** As much of a box page's data as the lies are about. */
export type PageData = {
  box: {
    fisher: object
    catchProv: object | null
    imageProc: unknown[]
    iotResult: { iotTracking: object[] } | null
  }
  figures: { coldChain: object | null }
  records: { recordHash: string; corrects?: number }[]
}

/** What a dishonest shop makes of the data of a box page: it changes them, or answers others. */
export type Lie = (view: PageData) => PageData | undefined

/** Changes the data of a box page on its way to this browser, also when it asks again. Proof, ledger and scripts stay true. */
export const falsifyBoxPage = (page: Page, boxID: string, lie: Lie): Promise<unknown> =>
  page.route(`**/api/box/${boxID}/page`, async (route) => {
    const answer = await route.fetch()
    const view: PageData = await answer.json()
    await route.fulfill({ response: answer, json: lie(view) ?? view })
  })

/** Hands out something else in the place of a box's proof. */
export const falsifyProof = (
  page: Page,
  boxID: string,
  change: (proof: string) => string | Promise<string>,
): Promise<unknown> =>
  page.route(`**/api/box/${boxID}/proof`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: await change(await answer.text()) })
  })
