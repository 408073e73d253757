/** What kwok makes of nodes and pods when nothing else is said: nodes are ready, pods run at once and go when asked. */
export const kwokStages = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: node-becomes-ready }
spec:
  resourceRef: { apiGroup: v1, kind: Node }
  selector:
    matchExpressions:
      - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ['True'] }
  next:
    statusTemplate: |
      {{ $now := Now }}
      allocatable: { cpu: "32", memory: 256Gi, pods: "500" }
      capacity: { cpu: "32", memory: 256Gi, pods: "500" }
      conditions:
        - { type: Ready, status: "True", reason: KubeletReady, message: ready, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }} }
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-runs }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: '.metadata.deletionTimestamp', operator: DoesNotExist }
      - { key: '.status.podIP', operator: DoesNotExist }
  next:
    statusTemplate: |
      {{ $now := Now }}
      phase: Running
      startTime: {{ $now | Quote }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
      conditions:
        - { type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }} }
        - { type: Ready, status: "True", lastTransitionTime: {{ $now | Quote }} }
        - { type: ContainersReady, status: "True", lastTransitionTime: {{ $now | Quote }} }
      containerStatuses:
      {{ range .spec.containers }}
        - { name: {{ .name | Quote }}, image: {{ .image | Quote }}, imageID: "", ready: true, restartCount: 0, started: true, state: { running: { startedAt: {{ $now | Quote }} } } }
      {{ end }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-goes }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: '.metadata.deletionTimestamp', operator: Exists }
  next:
    finalizers: { empty: true }
    delete: true
`;
