import type { Page, Route } from 'playwright-core'

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
export async function falsifyBoxPage(page: Page, boxID: string, lie: Lie): Promise<void> {
  const path = `/api/box/${boxID}/page`
  const lied = async (route: Route) => {
    const response = await route.fetch({ url: new URL(path, route.request().url()).href })
    const view: PageData = await response.json()
    return { response, view: lie(view) ?? view }
  }
  await page.route(`**${path}`, async (route) => {
    const { response, view } = await lied(route)
    await route.fulfill({ response, json: view })
  })
  await page.route(`**${path}/news?*`, async (route) => {
    const { response, view } = await lied(route)
    const kept = { records: 0, readings: 0, freshness: 0 }
    await route.fulfill({ response, json: { kept, page: view } })
  })
}

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
