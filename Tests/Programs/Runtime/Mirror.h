// The part of libswiftRemoteMirror's binary interface that Mirror.c uses (swift/SwiftRemoteMirror/SwiftRemoteMirror.h).
#ifndef MIRROR_H
#define MIRROR_H

#include <stdbool.h>
#include <stdint.h>

enum {
    UNKNOWN,
    BUILTIN,
    RAW_POINTER,
    TUPLE,
    STRUCT,
    NO_PAYLOAD_ENUM,
    SINGLE_PAYLOAD_ENUM,
    MULTI_PAYLOAD_ENUM,
    THICK_FUNCTION,
    OPAQUE_EXISTENTIAL,
    CLASS_EXISTENTIAL,
    ERROR_EXISTENTIAL,
    EXISTENTIAL_METATYPE,
    STRONG,
    UNOWNED,
    WEAK,
    UNMANAGED,
    CLASS_INSTANCE,
    CLOSURE_CONTEXT,
    ARRAY,
};

typedef uint64_t type_ref;

typedef struct {
    int kind;
    unsigned size, alignment, stride, fields;
} type_info;

typedef struct {
    const char *name;
    unsigned offset;
    int kind;
    type_ref type;
} child_info;

typedef const void *reader(void *, uint64_t, uint64_t, void **);
typedef uint64_t length_reader(void *, uint64_t);
typedef uint64_t finder(void *, const char *, uint64_t);

#define FUNCTIONS(F)                                                                                                   \
    F(void *, createReflectionContext,                                                                                 \
      (void *, uint8_t, void (*)(void *, const void *, void *), reader *, length_reader *, finder *))                  \
    F(int, addImage, (void *, uint64_t))                                                                               \
    F(type_ref, typeRefForMetadata, (void *, uintptr_t))                                                               \
    F(type_ref, typeRefForMangledTypeName, (void *, const char *, uint64_t))                                           \
    F(char *, copyNameForTypeRef, (void *, type_ref, bool))                                                            \
    F(type_ref, genericArgumentOfTypeRef, (type_ref, unsigned))                                                        \
    F(type_info, infoForTypeRef, (void *, type_ref))                                                                   \
    F(child_info, childOfTypeRef, (void *, type_ref, unsigned))                                                        \
    F(type_info, infoForMetadata, (void *, uintptr_t))                                                                 \
    F(child_info, childOfMetadata, (void *, uintptr_t, unsigned))                                                      \
    F(type_info, infoForInstance, (void *, uintptr_t))                                                                 \
    F(child_info, childOfInstance, (void *, uintptr_t, unsigned))                                                      \
    F(int, projectExistential, (void *, uint64_t, type_ref, type_ref *, uint64_t *))                                   \
    F(int, projectEnumValue, (void *, uint64_t, type_ref, int *))

#endif
