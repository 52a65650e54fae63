import type { Size } from '../../model/size.ts';

/** A rectangle in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A track between two boxes, and where its label stands. */
export interface Track {
  readonly path: string;
  readonly label: { readonly x: number; readonly y: number };
}

/** One provider with its backend and the tracks to both. */
export interface ProviderLane {
  readonly provider: Box;
  readonly backend: Box;
  readonly toProvider: Track;
  readonly toBackend: Track;
}

/** Where everything stands in a picture of a given width. */
export interface TopologyLayout {
  /** The height taken, and the least that is needed. */
  readonly height: number;
  readonly least: number;
  /** Top to bottom instead of left to right. */
  readonly narrow: boolean;
  readonly client: Box;
  readonly gateway: Box;
  readonly controller: Box;
  readonly toGateway: Track;
  /** From the controller down to the gateway: the overlay file. */
  readonly overlay: Track;
  readonly lanes: readonly ProviderLane[];
}

/** Below this width the picture runs from top to bottom, in pixels. */
const NARROW_BELOW = 740;
const NODE_HEIGHT = 60;
/** Least width of a box that still shows a name, in pixels. */
const LEAST_WIDTH = 84;

/** Least height of one provider's lane, in pixels. */
const LANE_HEIGHT = 96;

/**
 * Lays the picture out for the room there is, in pixels; it takes more height where it needs more. Pure: the same for
 * the same numbers.
 */
export function layoutTopology(room: Size, providers: number): TopologyLayout {
  return room.width < NARROW_BELOW ? downwards(room.width, providers) : sideways(room, providers);
}

function sideways({ width, height: room }: Size, providers: number): TopologyLayout {
  const least = Math.max(3, providers) * LANE_HEIGHT;
  const height = Math.max(room, least);
  const columns = { client: 122, gateway: 174, provider: 146, backend: 112 };
  const gap = (width - columns.client - columns.gateway - columns.provider - columns.backend) / 3;
  const x = {
    gateway: columns.client + gap * 0.75,
    provider: columns.client + columns.gateway + gap * 2.2,
    backend: width - columns.backend,
  };
  const middle = (height - NODE_HEIGHT) / 2;
  const client = box(0, middle, columns.client);
  const gateway = box(x.gateway, middle, columns.gateway);
  const controller = box(x.gateway, 4, columns.gateway);
  return {
    height,
    least,
    narrow: false,
    client,
    gateway,
    controller,
    toGateway: across(client, gateway, 0.5),
    overlay: down(controller, gateway, 0.5),
    lanes: Array.from({ length: providers }, (_, index) => {
      const y = (height / providers) * (index + 0.5) - NODE_HEIGHT / 2;
      const provider = box(x.provider, y, columns.provider);
      const backend = box(x.backend, y, columns.backend);
      return {
        provider,
        backend,
        toProvider: across(gateway, provider, 0.54),
        toBackend: across(provider, backend, 0.5),
      };
    }),
  };
}

function downwards(width: number, providers: number): TopologyLayout {
  const step = NODE_HEIGHT + 64;
  const lane = (width - 8 * (providers - 1)) / Math.max(1, providers);
  const lanes = lane < LEAST_WIDTH ? rows(width, step, providers) : columns(step, lane, providers);
  const height = Math.max(step * 2, ...lanes.map(({ backend }) => backend.y)) + NODE_HEIGHT;
  const half = (width - 12) / 2;
  const client = box(0, 0, half);
  const controller = box(half + 12, 0, half);
  const gateway = box(0, step, width);
  return {
    height,
    least: height,
    narrow: true,
    client,
    gateway,
    controller,
    toGateway: down(client, { ...gateway, width: half }, 0.5),
    overlay: down(controller, { ...gateway, x: half + 12, width: half }, 0.5),
    lanes,
  };
}

/** Providers side by side below the gateway, each above its backend. */
function columns(step: number, width: number, providers: number): ProviderLane[] {
  return Array.from({ length: providers }, (_, index) => {
    const above = box(index * (width + 8), step, width);
    const provider = { ...above, y: step * 2 };
    const backend = { ...above, y: step * 3 };
    return {
      provider,
      backend,
      toProvider: down(above, provider, 0.5),
      toBackend: down(provider, backend, 0.5),
    };
  });
}

/** One row per provider with its backend beside it, all reached from one trunk along the left edge. */
function rows(width: number, step: number, providers: number): ProviderLane[] {
  const room = { trunk: 6, left: 20, between: 56, above: 48 };
  const wide = (width - room.left - room.between) / 2;
  return Array.from({ length: providers }, (_, index) => {
    const top = step + NODE_HEIGHT;
    const y = top + index * (NODE_HEIGHT + room.above) + room.above;
    const provider = box(room.left, y, wide);
    const backend = box(width - wide, y, wide);
    const label = { x: provider.x + wide / 2, y: y - room.above / 2 };
    const path = `M${room.trunk} ${top}V${label.y.toFixed(1)}H${label.x.toFixed(1)}V${y}`;
    return {
      provider,
      backend,
      toProvider: { path, label },
      toBackend: across(provider, backend, 0.5),
    };
  });
}

function box(x: number, y: number, width: number): Box {
  return { x, y, width, height: NODE_HEIGHT };
}

/** From the right edge of one box to the left edge of another; the label stands at `at` of the way. */
function across(from: Box, to: Box, at: number): Track {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  const bend = (end.x - start.x) / 2;
  const a = { x: start.x + bend, y: start.y };
  const b = { x: end.x - bend, y: end.y };
  return { path: curve([start, a, b, end]), label: pointOn([start, a, b, end], at) };
}

/** From the lower edge of one box to the upper edge of another. */
function down(from: Box, to: Box, at: number): Track {
  const start = { x: from.x + from.width / 2, y: from.y + from.height };
  const end = { x: to.x + to.width / 2, y: to.y };
  const bend = (end.y - start.y) / 2;
  const a = { x: start.x, y: start.y + bend };
  const b = { x: end.x, y: end.y - bend };
  return { path: curve([start, a, b, end]), label: pointOn([start, a, b, end], at) };
}

interface Point {
  readonly x: number;
  readonly y: number;
}
type Bezier = readonly [Point, Point, Point, Point];

function curve([start, a, b, end]: Bezier): string {
  const text = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${text(start)}C${text(a)} ${text(b)} ${text(end)}`;
}

function pointOn([start, a, b, end]: Bezier, t: number): Point {
  const mix = (key: 'x' | 'y'): number =>
    (1 - t) ** 3 * start[key] +
    3 * (1 - t) ** 2 * t * a[key] +
    3 * (1 - t) * t ** 2 * b[key] +
    t ** 3 * end[key];
  return { x: mix('x'), y: mix('y') };
}
