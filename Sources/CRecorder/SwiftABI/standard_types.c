// The table of abbreviated standard library types.
#include "standard_types.h"

static const gp_standard_type standard[] = {
    {'A', 'V', "AutoreleasingUnsafeMutablePointer"},
    {'a', 'V', "Array"},
    {'b', 'V', "Bool"},
    {'D', 'V', "Dictionary"},
    {'d', 'V', "Double"},
    {'f', 'V', "Float"},
    {'h', 'V', "Set"},
    {'I', 'V', "DefaultIndices"},
    {'i', 'V', "Int"},
    {'J', 'V', "Character"},
    {'N', 'V', "ClosedRange"},
    {'n', 'V', "Range"},
    {'O', 'V', "ObjectIdentifier"},
    {'P', 'V', "UnsafePointer"},
    {'p', 'V', "UnsafeMutablePointer"},
    {'q', 'O', "Optional"},
    {'R', 'V', "UnsafeBufferPointer"},
    {'r', 'V', "UnsafeMutableBufferPointer"},
    {'S', 'V', "String"},
    {'s', 'V', "Substring"},
    {'u', 'V', "UInt"},
    {'V', 'V', "UnsafeRawPointer"},
    {'v', 'V', "UnsafeMutableRawPointer"},
    {'W', 'V', "UnsafeRawBufferPointer"},
    {'w', 'V', "UnsafeMutableRawBufferPointer"},
    {'B', 'P', "BinaryFloatingPoint"},
    {'E', 'P', "Encodable"},
    {'e', 'P', "Decodable"},
    {'F', 'P', "FloatingPoint"},
    {'G', 'P', "RandomNumberGenerator"},
    {'H', 'P', "Hashable"},
    {'j', 'P', "Numeric"},
    {'K', 'P', "BidirectionalCollection"},
    {'k', 'P', "RandomAccessCollection"},
    {'L', 'P', "Comparable"},
    {'l', 'P', "Collection"},
    {'M', 'P', "MutableCollection"},
    {'m', 'P', "RangeReplaceableCollection"},
    {'Q', 'P', "Equatable"},
    {'T', 'P', "Sequence"},
    {'t', 'P', "IteratorProtocol"},
    {'U', 'P', "UnsignedInteger"},
    {'X', 'P', "RangeExpression"},
    {'x', 'P', "Strideable"},
    {'Y', 'P', "RawRepresentable"},
    {'y', 'P', "StringProtocol"},
    {'Z', 'P', "SignedInteger"},
    {'z', 'P', "BinaryInteger"},
};

static const gp_standard_type concurrency[] = {
    {'A', 'P', "Actor"},
    {'C', 'V', "CheckedContinuation"},
    {'c', 'V', "UnsafeContinuation"},
    {'E', 'V', "CancellationError"},
    {'e', 'V', "UnownedSerialExecutor"},
    {'F', 'P', "Executor"},
    {'f', 'P', "SerialExecutor"},
    {'G', 'V', "TaskGroup"},
    {'g', 'V', "ThrowingTaskGroup"},
    {'h', 'P', "TaskExecutor"},
    {'I', 'P', "AsyncIteratorProtocol"},
    {'i', 'P', "AsyncSequence"},
    {'J', 'V', "UnownedJob"},
    {'M', 'C', "MainActor"},
    {'P', 'V', "TaskPriority"},
    {'S', 'V', "AsyncStream"},
    {'s', 'V', "AsyncThrowingStream"},
    {'T', 'V', "Task"},
    {'t', 'V', "UnsafeCurrentTask"},
};

static const gp_standard_type *find(const gp_standard_type *table, size_t count, char letter) {
    for (size_t i = 0; i < count; i++) {
        if (table[i].letter == letter) {
            return &table[i];
        }
    }
    return NULL;
}

const gp_standard_type *gp_standard_type_of(char letter) {
    return find(standard, sizeof standard / sizeof *standard, letter);
}

const gp_standard_type *gp_concurrency_type_of(char letter) {
    return find(concurrency, sizeof concurrency / sizeof *concurrency, letter);
}
