/** '32 km east of Sawtell' of '32 km east of Sawtell, New South Wales, Australia': what a card has room for. */
export const nearPlace = (place: string): string => place.split(',', 1)[0] ?? place
