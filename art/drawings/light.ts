import { tag } from './svg.ts'

const fishBed = { filterUnits: 'userSpaceOnUse', x: -120, y: -420, width: 1520, height: 860 }
const thin = { x: '-10%', y: '-400%', width: '120%', height: '900%' }
const long = { x: '-8%', y: '-140%', width: '116%', height: '380%' }
const around = { x: '-30%', y: '-30%', width: '160%', height: '160%' }

const close = { x: '-60%', y: '-60%', width: '220%', height: '220%' }

const blurSizes = [1, 2, 3, 5, 8, 12, 18, 26, 40, 70] as const
const roundSizes = [2, 4, 7, 11, 17, 26, 40] as const

/** A blur of that many units, reaching all over a fish of 1000 units: dear. */
export const far = (size: (typeof blurSizes)[number]): string => `url(#far${size})`

/** The same for strips along a fish. */
export const blur = (size: (typeof blurSizes)[number]): string => `url(#blur${size})`

/** The same for shapes about as high as wide. */
export const near = (size: (typeof blurSizes)[number]): string => `url(#near${size})`

/** Turns a flat shape into a rounded wet one of about that edge radius, lit by the lamp from the upper left. */
export const round = (size: (typeof roundSizes)[number]): string => `url(#round${size})`

function roundFilter(size: number): string {
  return `<filter id="round${size}" x="-15%" y="-15%" width="130%" height="130%" color-interpolation-filters="sRGB">
<feGaussianBlur in="SourceAlpha" stdDeviation="${size}" result="height"/>
<feDiffuseLighting in="height" surfaceScale="${size * 1.5}" diffuseConstant="1.18" lighting-color="#fff6e8" result="lit">
<feDistantLight azimuth="236" elevation="56"/></feDiffuseLighting>
<feGaussianBlur in="lit" stdDeviation="${size / 6}" result="softlit"/>
<feComposite in="SourceGraphic" in2="softlit" operator="arithmetic" k1="0.68" k2="0.38" result="shaded"/>
<feSpecularLighting in="height" surfaceScale="${size * 1.1}" specularConstant="0.5" specularExponent="26" lighting-color="#fff3df" result="gleam">
<feDistantLight azimuth="238" elevation="58"/></feSpecularLighting>
<feGaussianBlur in="gleam" stdDeviation="${Math.max(0.6, size / 9)}" result="softgleam"/>
<feComposite in="softgleam" in2="SourceAlpha" operator="in" result="wet"/>
<feBlend in="wet" in2="shaded" mode="screen" result="both"/>
<feComponentTransfer in="both" result="deep"><feFuncR type="gamma" exponent="1.16"/><feFuncG type="gamma" exponent="1.16"/><feFuncB type="gamma" exponent="1.16"/></feComponentTransfer>
<feColorMatrix in="deep" type="saturate" values="1.35" result="rich"/>
<feComposite in="rich" in2="SourceAlpha" operator="in"/></filter>`
}

/** Grain: cloudy variation of tone. Fill a shape with black or white through it. */
function grain(id: string, frequency: string, octaves: number, gain: number, seed: number): string {
  return `<filter id="${id}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">
<feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="${octaves}" seed="${seed}" result="noise"/>
<feColorMatrix in="noise" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${gain} 0 0 0 ${-gain * 0.45}" result="cloud"/>
<feComposite in="SourceGraphic" in2="cloud" operator="in"/></filter>`
}

const gleamSteps = `<feTurbulence type="fractalNoise" baseFrequency="0.012 0.09" numOctaves="2" seed="5" result="noise"/>
<feDisplacementMap in="SourceGraphic" in2="noise" scale="34" xChannelSelector="R" yChannelSelector="G"/><feGaussianBlur stdDeviation="4"/>`

const darkSteps = `<feColorMatrix values="0 0 0 0 0.1 0 0 0 0 0.08 0 0 0 0 0.08 0 0 0 1 0"/><feGaussianBlur stdDeviation="6"/>`

/** All filters of the house, once per picture. */
export function lightDefinitions(): string {
  const reaches = { far: fishBed, blur: long, near: close }
  const blurs = Object.entries(reaches).flatMap(([name, reach]) =>
    blurSizes.map((size) =>
      tag('filter', { id: `${name}${size}`, ...reach }, tag('feGaussianBlur', { stdDeviation: size })),
    ),
  )
  return tag(
    'defs',
    {},
    ...blurs,
    ...roundSizes.map(roundFilter),
    grain('cloud', '0.011 0.02', 2, 3.2, 4),
    grain('mottle', '0.035', 2, 4, 11),
    grain('speckle', '0.16', 1, 5, 7),
    grain('streak', '0.006 0.05', 1, 3.6, 2),
    grain('wood', '0.0016 0.085', 3, 3.4, 9),
    tag('filter', { id: 'gleam', ...thin }, gleamSteps),
    tag('filter', { id: 'dark', ...around }, darkSteps),
  )
}
