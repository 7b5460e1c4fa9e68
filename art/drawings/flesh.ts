import type { Surface } from './solid.ts'

/** Colours of cut fish: flesh, the lines between its flakes, the dark line along the middle, the skin side. */
export type Flesh = { flesh: string; flake: string; middle: string; skin: Surface; rim: string }

const silverSkin: Surface = {
  fill: '#8fa3ad',
  dark: '#1c2c36',
  light: '#ffffff',
  grain: 'mottle',
  strength: 0.3,
}

export const whiteFlesh: Flesh = {
  flesh: '#f6e9df',
  flake: '#dcb9a8',
  middle: '#c98c7c',
  rim: '#eac9ba',
  skin: { fill: '#d98a80', dark: '#8a2f2a', light: '#fff', grain: 'mottle', strength: 0.3 },
}
export const flatheadFlesh: Flesh = { ...whiteFlesh, flesh: '#f8efe6', flake: '#dfc9b8', middle: '#d6a898' }
export const mullowayFlesh: Flesh = { ...whiteFlesh, flesh: '#f3dfd2', flake: '#d3a491', skin: silverSkin }
export const mackerelFlesh: Flesh = {
  flesh: '#ecd3c4',
  flake: '#c99a86',
  middle: '#a9564a',
  rim: '#d3a694',
  skin: { ...silverSkin, fill: '#6f8795' },
}
export const kingfishFlesh: Flesh = {
  flesh: '#f3cdbf',
  flake: '#fbe9df',
  middle: '#b9443a',
  rim: '#e0a090',
  skin: silverSkin,
}
export const tunaFlesh: Flesh = {
  flesh: '#b3202e',
  flake: '#7c0f1e',
  middle: '#6d0a18',
  rim: '#8a1424',
  skin: silverSkin,
}
export const salmonFlesh: Flesh = {
  flesh: '#f48a52',
  flake: '#ffd9bd',
  middle: '#d9602c',
  rim: '#e4743c',
  skin: silverSkin,
}
/** White flesh from the pan. */
export const searedFlesh: Flesh = {
  flesh: '#e0a75e',
  flake: '#9c5f24',
  middle: '#8a4a1a',
  rim: '#6f3a12',
  skin: silverSkin,
}
