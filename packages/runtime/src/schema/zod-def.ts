import type { z } from 'zod';

// zod documents _zod as the door for libraries; this file is the only one that goes through it.
/* oxlint-disable no-underscore-dangle */

/** What a schema was made of. */
export function defOf<S extends z.core.$ZodType>(schema: S): S['_zod']['def'] {
  return schema._zod.def;
}

/** What a check was made of. `custom` and whatever zod adds later come as they are. */
export function checkDefOf(check: z.core.$ZodCheck): z.core.$ZodChecks['_zod']['def'] {
  return (check as z.core.$ZodChecks)._zod.def;
}

export function enumValuesOf(schema: z.core.$ZodEnum): readonly z.core.util.Literal[] {
  return [...schema._zod.values] as z.core.util.Literal[];
}
