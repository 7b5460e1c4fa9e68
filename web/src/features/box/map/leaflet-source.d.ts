/* Leaflet's own modules, one by one: the package's bundle can't be shaken. Their types are those of the whole. */
declare module 'leaflet/src/map/Map.js' {
  export { Map } from 'leaflet'
}
declare module 'leaflet/src/layer/marker/DivIcon.js' {
  export { DivIcon } from 'leaflet'
}
declare module 'leaflet/src/layer/marker/Marker.js' {
  export { Marker } from 'leaflet'
}
declare module 'leaflet/src/layer/tile/TileLayer.js' {
  export { TileLayer } from 'leaflet'
}
declare module 'leaflet/src/layer/vector/Polygon.js' {
  export { Polygon } from 'leaflet'
}
declare module 'leaflet/src/layer/vector/Polyline.js' {
  export { Polyline } from 'leaflet'
}
declare module 'leaflet/src/map/handler/Map.Drag.js'
declare module 'leaflet/src/map/handler/Map.DoubleClickZoom.js'
declare module 'leaflet/src/map/handler/Map.Keyboard.js'
declare module 'leaflet/src/map/handler/Map.TouchZoom.js'
declare module 'leaflet/src/control/Control.Attribution.js'
declare module 'leaflet/src/control/Control.Zoom.js'
declare module 'leaflet/src/layer/vector/Renderer.getRenderer.js'

declare module 'leaflet/src/geo/LatLngBounds.js' {
  export { LatLngBounds } from 'leaflet'
}
