/** One thing that is wrong with an object, as a cause of `422 Invalid` names it. */
export type FieldError = {
  /** As in `spec.containers[0].name`. */
  readonly field: string;
  /** The words of the API: FieldValueRequired, FieldValueInvalid, FieldValueForbidden ... */
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueForbidden'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotFound'
    | 'FieldValueInternal';
  /** Without the field in front: `Required value: must name a container`. */
  readonly message: string;
};
