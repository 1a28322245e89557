/// The short name of GameInstrumentation, for packages that do not depend on swift-distributed-tracing, which has a
/// module Instrumentation too.
@_exported import GameInstrumentation
