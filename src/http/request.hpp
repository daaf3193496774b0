#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "domain/complaint.hpp"
#include "http/known_query.hpp"
#include "http/method.hpp"

namespace sluice::http {

/// A query parameter as it was sent.
struct Parameter {
    enum class Form { absent, broken, given };  // broken: a bad escape, or a NUL behind one

    Form form = Form::absent;
    std::string text{};  // decoded; empty unless given

    bool absent() const { return form == Form::absent; }
};

/// What is wrong with a query: the parameter's name as it was sent, and the rule that it breaks.
struct QueryFlaw {
    std::string_view name;
    Rule rule;

    friend bool operator==(const QueryFlaw&, const QueryFlaw&) = default;
};

/// One complete request with its body. Its views point into the connection's buffers and are valid
/// until the answer was written.
struct Request {
    Method method = Method::get;
    std::string_view path;   // as sent, still percent-encoded
    std::string_view query;  // without the question mark
    /// The host that the client asks for: that of an absolute target, else the Host field.
    std::string_view authority;
    std::string_view body;
    bool keep_alive = true;
    bool http_1_0 = false;

    struct Field {
        std::string_view name;
        std::string_view value;
    };
    std::vector<Field> fields;

    Address peer;

    /// The first field of that name, in upper or lower case; empty when there is none.
    std::string_view header(std::string_view name) const;
    /// The same, for fields in which empty and absent mean different things.
    std::optional<std::string_view> find_header(std::string_view name) const;
    /// Of a header that is a list, which may stand on several lines.
    std::string list_header(std::string_view name) const;

    /// The first query parameter of that name. On a route whose query is strict it is the only one,
    /// and not empty.
    Parameter parameter(std::string_view name) const;
    /// The first parameter that is unknown, empty or given twice; nothing when all are fine.
    std::optional<QueryFlaw> find_query_flaw(const KnownQuery& known) const;

    void clear();
};

bool equals_ignoring_case(std::string_view, std::string_view);

}  // namespace sluice::http
