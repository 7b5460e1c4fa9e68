import * as things from './structured-data.ts'

/** Search engines read a page as it was sent, and React keeps what was sent: the browser's script needs none of it. */
const asSent = () => ({})

export const organization = import.meta.env.SSR ? things.organization : asSent
export const shopSearch = import.meta.env.SSR ? things.shopSearch : asSent
export const breadcrumbs = import.meta.env.SSR ? things.breadcrumbs : asSent
export const productThing = import.meta.env.SSR ? things.productThing : asSent
