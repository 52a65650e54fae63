/** What typed clients such as `kubectl create configmap` send, and no answer needs. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const MAGIC = 'k8s\0';

/** Numbers of the fields read here, as Kubernetes' `generated.proto` has them. */
const UNKNOWN_RAW = 2;
const CONFIG_MAP = { metadata: 1, data: 2, binaryData: 3 } as const;
const META = { name: 1, namespace: 3, labels: 11, annotations: 12 } as const;

/**
 * Reads a ConfigMap in Kubernetes' protobuf form into what its JSON form would be.
 * @throws RangeError when the bytes are something else.
 */
export function readProtobufConfigMap(bytes: Uint8Array): Record<string, unknown> {
  const buffer = Buffer.from(bytes);
  if (buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new RangeError('no Kubernetes protobuf');
  const raw = fields(buffer.subarray(MAGIC.length)).find(({ number }) => number === UNKNOWN_RAW)?.value;
  const all = fields(raw ?? Buffer.alloc(0));
  const of = (number: number): Buffer[] =>
    all.filter((field) => field.number === number).map(({ value }) => value);
  return {
    metadata: readMetadata(fields(of(CONFIG_MAP.metadata)[0] ?? Buffer.alloc(0))),
    ...section('data', entries(of(CONFIG_MAP.data), 'utf8')),
    ...section('binaryData', entries(of(CONFIG_MAP.binaryData), 'base64')),
  };
}

function readMetadata(all: readonly Field[]): Record<string, unknown> {
  const of = (number: number): Buffer[] =>
    all.filter((field) => field.number === number).map(({ value }) => value);
  const text = (number: number): string => of(number)[0]?.toString('utf8') ?? '';
  return {
    name: text(META.name),
    ...(text(META.namespace) === '' ? {} : { namespace: text(META.namespace) }),
    ...section('labels', entries(of(META.labels), 'utf8')),
    ...section('annotations', entries(of(META.annotations), 'utf8')),
  };
}

function section(name: string, map: Record<string, string>): Record<string, unknown> {
  return Object.keys(map).length === 0 ? {} : { [name]: map };
}

/** A protobuf map is a list of messages with the key as field 1 and the value as field 2. */
function entries(messages: readonly Buffer[], encoding: 'utf8' | 'base64'): Record<string, string> {
  return Object.fromEntries(
    messages.map((message) => {
      const pair = new Map(fields(message).map(({ number, value }) => [number, value]));
      return [pair.get(1)?.toString('utf8') ?? '', pair.get(2)?.toString(encoding) ?? ''];
    }),
  );
}

interface Field {
  readonly number: number;
  readonly value: Buffer;
}

/** The length-delimited fields of a message; numbers are passed over, a ConfigMap's content has none. */
function fields(message: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.byteLength) {
    const tag = varint();
    const wireType = tag % 8;
    if (wireType === 0) varint();
    else if (wireType === 2) {
      const length = varint();
      found.push({ number: Math.floor(tag / 8), value: message.subarray(at, at + length) });
      at += length;
    } else throw new RangeError(`wire type ${wireType} does not occur in a ConfigMap`);
  }
  return found;
}
