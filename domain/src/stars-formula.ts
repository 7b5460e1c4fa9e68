import { STARS } from './stars.ts'

/** How stars come about, as pages say it. */
export const starsFormula = `${STARS.from} − ${STARS.per} × index, rounded down, at most ${STARS.most}`
