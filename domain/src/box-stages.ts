/** 'at sea', 'on the road', 'at market': by the newest position; 'sealed' ends a history. */
export const boxStages = ['registered', 'at sea', 'on the road', 'at market', 'sealed'] as const
export type BoxStage = (typeof boxStages)[number]

/** Within this of the market's place a box has arrived. */
export const AT_MARKET_KM = 2
