#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Reads a request's JSON body field by field and gathers everything that is wrong with it, so that
/// the caller learns it all at once. Strict: it refuses a field given twice, a field that nobody
/// asks for, a number that is not whole, and a NUL in a text.
class JsonReader {
  public:
    /// With `may_be_absent`, no body reads as an empty object.
    explicit JsonReader(http::Exchange& exchange, bool may_be_absent = false);

    std::string required_text(std::string_view field);
    std::optional<std::string> text(std::string_view field);
    std::optional<std::vector<std::string>> texts(std::string_view field);
    std::optional<bool> yes_or_no(std::string_view field);
    std::optional<std::int64_t> whole_number(std::string_view field);
    /// The inner optional is empty for null, as in the calls below. `group.field` is a field of an
    /// object in the body.
    std::optional<std::optional<std::int64_t>> whole_number_or_null(std::string_view field);
    std::optional<std::optional<Timestamp>> time_or_null(std::string_view field);
    std::optional<Timestamp> time(std::string_view field);

    /// A text that must be one of the words that `parse` knows.
    template <class Parse>
    auto word(std::string_view field, Parse parse, std::string_view words)
        -> decltype(parse(std::string_view{})) {
        const auto given = text(field);
        if (!given) return std::nullopt;
        auto value = parse(*given);
        if (!value) complain(field, {Rule::one_of, words});
        return value;
    }

    /// Ignores unknown fields: for bodies to which others may add fields at any time.
    void ignore_unknown_fields() { strict_ = false; }

    void complain(std::string_view field, Complaint complaint);

    /// After the last field: false when something was wrong; then the exchange holds the answer.
    bool finish();

  private:
    const boost::json::value* take(std::string_view field);
    const boost::json::value* find(std::string_view field) const;
    bool take_null(std::string_view field);
    void complain_of_unknown(const boost::json::object& object, const std::string& prefix);

    http::Exchange& exchange_;
    std::optional<http::Code> refused_;
    boost::json::object object_;
    bool strict_ = true;
    std::vector<std::string_view> asked_;
    std::vector<FieldError> errors_;
};

}  // namespace sluice::api
