/* The parts of Leaflet that the map needs: a quarter less script than all of it. The first ones add themselves. */
import 'leaflet/src/map/handler/Map.Drag.js'
import 'leaflet/src/map/handler/Map.DoubleClickZoom.js'
import 'leaflet/src/map/handler/Map.Keyboard.js'
import 'leaflet/src/map/handler/Map.TouchZoom.js'
import 'leaflet/src/control/Control.Zoom.js'
import 'leaflet/src/layer/vector/Renderer.getRenderer.js'
import { LatLngBounds } from 'leaflet/src/geo/LatLngBounds.js'
import { DivIcon } from 'leaflet/src/layer/marker/DivIcon.js'
import { Marker } from 'leaflet/src/layer/marker/Marker.js'
import { Polygon } from 'leaflet/src/layer/vector/Polygon.js'
import { Polyline } from 'leaflet/src/layer/vector/Polyline.js'
import { Map as LeafletMap } from 'leaflet/src/map/Map.js'

export { DivIcon, LatLngBounds, LeafletMap, Marker, Polygon, Polyline }
