/** What an editor shows for each member; the path is the one in the document, `[]` for the members of an array. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  schema_version: 'Version of this contract. Any other value is refused.',
  revision: 'Content address of the overlay.',
  'revision.kind': 'How the revision names its content.',
  'revision.algorithm': 'Hash algorithm of the revision.',
  'revision.value':
    'SHA-256 of the canonical form (RFC 8785) of candidates, local_site, network and selection_policy, 64 lower-case hex digits. Computed by the producer; `switchyard overlay digest` prints it.',
  content_digest: 'The same digest again; equal to the revision in this version.',
  'content_digest.algorithm': 'Hash algorithm of the digest.',
  'content_digest.value': 'Equals revision.value.',
  scope: 'Whom the overlay is for. A gateway refuses the overlay of another one.',
  'scope.network':
    'Grid network. 1 to 256 bytes, not blank; equals overlay.network and provenance.source_name.',
  'scope.gateway': 'Gateway that may use the overlay. 1 to 256 bytes, not blank.',
  'scope.namespace': 'Namespace of that gateway. 1 to 256 bytes, not blank.',
  'scope.local_site': 'Site from whose point of view the candidates are ordered; equals overlay.local_site.',
  provenance: 'Who made the overlay, from what, and when. Outside the digest.',
  'provenance.producer': 'Name of the producing program. 1 to 256 bytes, not blank.',
  'provenance.producer_version': 'Version of the producing program. 1 to 256 bytes, not blank.',
  'provenance.source_name': 'Name of the network resource it was rendered from; equals scope.network.',
  'provenance.source_uid': 'Unique id of that resource. 1 to 256 bytes, not blank.',
  'provenance.source_generation': 'Generation of that resource, from 1. Readers notice when it goes back.',
  'provenance.rendered_at': 'Time of rendering, RFC 3339, for example 2026-01-01T00:00:00Z.',
  overlay: 'The payload: who may be chosen, in which order and by which policy.',
  'overlay.network': 'Grid network. 1 to 256 bytes, not blank.',
  'overlay.local_site':
    'Site from whose point of view the candidates are ordered. 1 to 256 bytes, not blank.',
  'overlay.candidates':
    'Candidates, best first; the order counts. Readers take at most 1024 unless configured otherwise. No two with the same kind, name, site and cluster, nor with the same stable id.',
  'overlay.selection_policy':
    'How one member of the active group is chosen: a string, or the object form {"mode": …}. Absent means deterministic. Any other policy needs groups, the weighted ones need weights.',
  'overlay.generated_at': 'Time the payload was generated. Neither validated nor hashed.',
  'candidates[]':
    'One provider of one model or tool. Members this schema does not know are kept, passed on and hashed.',
  'candidates[].kind': 'What is offered: a model behind an inference API, or a tool behind an MCP server.',
  'candidates[].name': 'Model or tool name, compared byte by byte. 1 to 256 bytes, not blank.',
  'candidates[].site': 'Site the provider stands in. 1 to 256 bytes, not blank.',
  'candidates[].cluster': 'Cluster of the gateway that leads to it. 1 to 256 bytes, not blank.',
  'candidates[].fresh':
    "Whether the producer's signals about it were fresh. Default true. Carried, not used to select.",
  'candidates[].stable_id':
    'Identity in affinity, metrics and the provider hop. Visible ASCII, spaces only inside. Default kind/name/site/cluster.',
  'candidates[].rank': 'Position the producer gave it. Informational.',
  'candidates[].score': 'Preference score. Informational: scores never become traffic shares.',
  'candidates[].score_breakdown': 'What the score is made of. Informational.',
  'candidates[].admission_state':
    'Which sessions it may take: all (default), those already bound to it, or none (excluded; none is the Praxis word for it). One state per group.',
  'candidates[].selection_tier':
    'How far it is, for example same_site, same_zone, same_region, cross_region. 1 to 128 bytes.',
  'candidates[].selection_group':
    'Group inside its capability (kind and name): on all its candidates or on none, from 0, never falling, growing by 1.',
  'candidates[].traffic_weight':
    'Share of new traffic. Required with a weighted policy, forbidden with any other.',
  'candidates[].credential': 'Where its secret lies. A reference, never a secret: other members are refused.',
  'candidates[].credential.strategy': 'How the secret is presented to the provider.',
  'candidates[].credential.secretRef': 'The secret to read. Other members are refused.',
  'candidates[].credential.secretRef.name': 'Name of the secret. 1 to 256 bytes, not blank.',
  'candidates[].credential.secretRef.namespace': 'Namespace of the secret. 1 to 256 bytes, not blank.',
  'candidates[].credential.secretRef.key': 'Key inside the secret. 1 to 256 bytes, not blank.',
};
