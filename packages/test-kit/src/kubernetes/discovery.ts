const CONFIG_MAPS = '/api/v1/namespaces/{namespace}/configmaps';

/** Version that the fake pretends to be; clients of about the same age find nothing odd in it. */
const VERSION = { major: '1', minor: '35', gitVersion: 'v1.35.2', platform: 'linux/amd64' };

/** What generic clients ask before they do anything: which groups, resources and schemas there are. */
export function discoveryAnswer(path: string): Record<string, unknown> | undefined {
  switch (path) {
    case '/version':
      return VERSION;
    case '/api':
      return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
    case '/apis':
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: [] };
    case '/api/v1':
      return {
        kind: 'APIResourceList',
        groupVersion: 'v1',
        resources: [resource('namespaces', 'Namespace', false), resource('configmaps', 'ConfigMap', true)],
      };
    case '/openapi/v3':
      return { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=0' } } };
    case '/openapi/v3/api/v1':
      return openApi();
    default:
      return namespaceAnswer(path);
  }
}

/** Every namespace exists: kubectl asks for it when an object in it doesn't. */
function namespaceAnswer(path: string): Record<string, unknown> | undefined {
  const name = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  return { kind: 'Namespace', apiVersion: 'v1', metadata: { name, uid: name }, status: { phase: 'Active' } };
}

function resource(name: string, kind: string, namespaced: boolean): Record<string, unknown> {
  return {
    name,
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs: namespaced ? ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] : ['get'],
    shortNames: name === 'configmaps' ? ['cm'] : ['ns'],
  };
}

/** Enough for a client to learn that the server validates fields itself, and what a ConfigMap looks like. */
function openApi(): Record<string, unknown> {
  const gvk = [{ group: '', version: 'v1', kind: 'ConfigMap' }];
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  const operation = (action: string): Record<string, unknown> => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk[0],
    parameters,
    responses: { 200: { description: 'OK' } },
  });
  const map = { type: 'object', additionalProperties: { type: 'string', default: '' } };
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: VERSION.gitVersion },
    paths: {
      [CONFIG_MAPS]: { post: operation('post') },
      [`${CONFIG_MAPS}/{name}`]: { patch: operation('patch'), put: operation('put') },
    },
    components: {
      schemas: {
        'io.k8s.api.core.v1.ConfigMap': {
          type: 'object',
          properties: {
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            metadata: { type: 'object' },
            data: map,
            binaryData: map,
            immutable: { type: 'boolean' },
          },
          'x-kubernetes-group-version-kind': gvk,
        },
      },
    },
  };
}
