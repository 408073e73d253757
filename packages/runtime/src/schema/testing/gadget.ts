import { z } from 'zod';
import { atomicList, listMap, listSet, mapOf } from '../collection-shapes.ts';
import { conditionList } from '../condition-shape.ts';
import { defineCustomKind } from '../custom-kind.ts';
import { oneOfBy } from '../one-of-by.ts';
import { immutable, rule, transitionRule } from '../rule.ts';
import { anyScalar, duration, intOrString, preserveUnknown, quantity, timestamp } from '../scalar-shapes.ts';

/** A kind that uses every helper, for the tests and the golden file. */
export const gadget = defineCustomKind({
  group: 'samples.tributary.dev',
  kind: 'Gadget',
  plural: 'gadgets',
  shortNames: ['gd'],
  categories: ['samples'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      storage: true,
      description: 'A gadget has one field of every shape.',
      spec: rule(
        z.object({
          title: z.string().min(2).max(5).describe('Shown to people.'),
          class: immutable(z.string().max(20)),
          zone: immutable(z.string().max(20).optional()),
          size: z.enum(['small', 'large']).default('small'),
          replicas: z.int32().min(0).max(10).default(1),
          serial: z.int().optional(),
          ratio: z.number().gt(0).lt(1).optional(),
          step: z.int().multipleOf(5).optional(),
          level: z.literal([1, 2, 3]).optional(),
          slug: z
            .string()
            .regex(/^[a-z.]+$/)
            .regex(/^[^.]/u)
            .optional(),
          line: z
            .string()
            .regex(/^x.y\s?$/u)
            .optional(),
          port: intOrString({ maxLength: 15 }).optional(),
          memory: quantity().optional(),
          timeout: duration().default('30s'),
          note: rule(
            z.string().max(10).nullable().optional(),
            "!self.startsWith('bad')",
            'is bad',
            (note) => !note.startsWith('bad'),
          ),
          when: timestamp().nullable().optional(),
          address: z.ipv4().nullable().optional(),
          tags: listSet(z.string().max(10)).max(4).optional(),
          ports: listMap(
            z.object({
              name: z.string().max(15),
              protocol: z.enum(['TCP', 'UDP']).default('TCP'),
              port: immutable(z.int32().min(1).max(65_535)),
            }),
            ['name', 'protocol'],
          )
            .max(8)
            .optional(),
          args: atomicList(z.string()).min(1).optional(),
          labels: mapOf(z.string(), { keys: z.string().max(63), minProperties: 1, maxProperties: 3 }).optional(),
          limits: mapOf(z.int(), { keys: z.string().regex(/^[a-z]+$/), maxProperties: 2 }).optional(),
          weights: z.partialRecord(z.enum(['cpu', 'disk']), z.int()).optional(),
          full: z.record(z.enum(['in', 'out']), z.boolean()).optional(),
          retry: z
            .object({ max: z.int32().default(3), backoff: duration().default('1s') })
            .describe('How to try again.')
            .prefault({}),
          window: rule(
            z.object({ from: z.int(), to: z.int() }),
            'self.from <= self.to',
            'must not end before it begins',
            ({ from, to }) => from <= to,
            { field: 'to' },
          ).optional(),
          backend: oneOfBy('type', {
            Service: z.object({ service: z.string().max(63), weight: z.int32().optional() }),
            Host: z.object({ host: z.string().max(253), tls: z.boolean().optional(), weight: z.int32().optional() }),
          }).optional(),
          extra: preserveUnknown().optional(),
          anything: z.unknown().optional(),
          scalar: anyScalar().optional(),
        }),
        "self.size != 'large' || self.replicas > 1",
        'a large gadget needs two replicas',
        ({ size, replicas }) => size !== 'large' || replicas > 1,
        { field: 'replicas' },
      ),
      status: z.object({
        replicas: z.int32().optional(),
        selector: z.string().optional(),
        conditions: conditionList().optional(),
      }),
      printerColumns: [
        { name: 'Size', type: 'string', jsonPath: '.spec.size' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      selectableFields: ['.spec.size'],
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      rules: [
        {
          cel: "self.metadata.name != 'forbidden'",
          message: 'this name is taken',
          holds: ({ metadata }) => metadata.name !== 'forbidden',
        },
      ],
    },
  ],
});

/** Two versions, one of them on its way out; cluster-wide, and with nothing that must be given. */
export const gizmo = defineCustomKind({
  group: 'samples.tributary.dev',
  kind: 'Gizmo',
  plural: 'gizmos',
  singular: 'gizmo',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1beta1',
      deprecated: 'use v1',
      spec: z.object({ color: z.string().default('red') }),
    },
    {
      name: 'v1',
      storage: true,
      spec: transitionRule(
        z.object({ color: z.string().max(20).default('red'), count: z.int().default(0) }),
        'self.count >= oldSelf.count',
        'the count never falls',
      ),
    },
  ],
  conversion: { strategy: 'None' },
});
