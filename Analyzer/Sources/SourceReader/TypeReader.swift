import SourceModel
import SwiftSyntax

extension TreeReader {
    func type(_ syntax: TypeSyntax) -> TypeReference {
        deeper(.other) { typeHere(syntax) }
    }

    private func typeHere(_ syntax: TypeSyntax) -> TypeReference {
        switch syntax.as(TypeSyntaxEnum.self) {
        case .identifierType(let named):
            return .named([named.name.text.trimmingBackticks], arguments: arguments(named.genericArgumentClause))
        case .memberType(let member):
            guard case .named(let path, _) = type(member.baseType) else { return .other }
            return .named(
                path + [member.name.text.trimmingBackticks], arguments: arguments(member.genericArgumentClause))
        case .arrayType(let array): return .array(type(array.element))
        case .dictionaryType(let dictionary): return .dictionary(type(dictionary.key), type(dictionary.value))
        case .optionalType(let optional): return .optional(type(optional.wrappedType))
        case .implicitlyUnwrappedOptionalType(let optional): return .optional(type(optional.wrappedType))
        case .functionType(let function):
            return .function(result: type(function.returnClause.type), isEscaping: false)
        case .attributedType(let attributed):
            let inner = type(attributed.baseType)
            let isEscaping = attributed.attributes.contains { "\($0)".hasPrefix("@escaping") }
            if case .function(let result, _) = inner { return .function(result: result, isEscaping: isEscaping) }
            return inner
        case .someOrAnyType(let wrapped): return type(wrapped.constraint)
        case .suppressedType: return .other
        case .compositionType(let composition): return .composition(composition.elements.map { type($0.type) })
        case .tupleType(let tuple):
            let parts = tuple.elements.map { type($0.type) }
            return parts.count == 1 ? parts[0] : .tuple(parts)
        case .metatypeType(let metatype): return .metatype(type(metatype.baseType))
        default: return .other
        }
    }

    private func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeReference] {
        clause?.arguments.map { argument in
            if case .type(let type) = argument.argument { return self.type(type) }
            return .other
        } ?? []
    }

    func generics(_ clause: GenericParameterClauseSyntax?, _ conditions: GenericWhereClauseSyntax?)
        -> [String: TypeReference]
    {
        var result: [String: TypeReference] = [:]
        for parameter in clause?.parameters ?? [] {
            result[parameter.name.text.trimmingBackticks] = parameter.inheritedType.map(type) ?? .other
        }
        for requirement in conditions?.requirements ?? [] {
            guard case .conformanceRequirement(let conformance) = requirement.requirement,
                let name = type(conformance.leftType).name, result[name] != nil
            else { continue }
            result[name] = type(conformance.rightType)
        }
        return result
    }
}
