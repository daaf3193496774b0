#include "api/strict_json.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

namespace sluice::api {
namespace {

namespace json = boost::json;
using View = json::string_view;
using Error = boost::system::error_code;

/// Builds a value as the library's own handler does, but notices a key that occurs twice, where the
/// library silently takes the last one.
class Builder {
  public:
    // More than any request of ours has. It also limits the search for repeated keys, which is made
    // for every key.
    static constexpr std::size_t max_object_size = 64;
    static constexpr std::size_t max_array_size = 1024;
    static constexpr std::size_t max_key_size = 256;
    static constexpr std::size_t max_string_size = 1 << 20;

    Builder() { stack_.reset(); }
    json::value release() { return stack_.release(); }

    bool on_document_begin(Error&) { return true; }
    bool on_document_end(Error&) { return true; }
    bool on_array_begin(Error&) { return true; }
    bool on_array_end(std::size_t n, Error&) {
        stack_.push_array(n);
        return true;
    }
    bool on_object_begin(Error&) {
        keys_.emplace_back();
        return true;
    }
    bool on_object_end(std::size_t n, Error&) {
        keys_.pop_back();
        stack_.push_object(n);
        return true;
    }
    bool on_key_part(View part, std::size_t, Error&) {
        stack_.push_chars(part);
        key_.append(part.data(), part.size());
        return true;
    }
    bool on_key(View part, std::size_t, Error& error) {
        key_.append(part.data(), part.size());
        auto& seen = keys_.back();
        if (std::ranges::find(seen, key_) != seen.end()) {
            error = json::error::syntax;
            return false;
        }
        seen.push_back(std::move(key_));
        key_.clear();
        stack_.push_key(part);
        return true;
    }
    bool on_string_part(View part, std::size_t, Error&) {
        stack_.push_chars(part);
        return true;
    }
    bool on_string(View part, std::size_t, Error&) {
        stack_.push_string(part);
        return true;
    }
    bool on_number_part(View, Error&) { return true; }
    bool on_int64(std::int64_t number, View, Error&) {
        stack_.push_int64(number);
        return true;
    }
    bool on_uint64(std::uint64_t number, View, Error&) {
        stack_.push_uint64(number);
        return true;
    }
    bool on_double(double number, View, Error& error) {
        if (!std::isfinite(number)) {
            error = json::error::exponent_overflow;
            return false;
        }
        stack_.push_double(number);
        return true;
    }
    bool on_bool(bool truth, Error&) {
        stack_.push_bool(truth);
        return true;
    }
    bool on_null(Error&) {
        stack_.push_null();
        return true;
    }
    bool on_comment_part(View, Error&) { return true; }
    bool on_comment(View, Error&) { return true; }

  private:
    json::value_stack stack_;
    std::vector<std::vector<std::string>> keys_;  // of the objects that are open
    std::string key_;
};

}  // namespace

std::optional<json::value> parse_strict_json(std::string_view text) {
    json::basic_parser<Builder> parser{json::parse_options{}};
    Error error;
    const auto used = parser.write_some(false, text.data(), text.size(), error);
    if (error || used != text.size()) return std::nullopt;
    return parser.handler().release();
}

}  // namespace sluice::api
