#pragma once

#include <vector>

#include <boost/json/array.hpp>

#include "domain/notice.hpp"

namespace sluice::api {

/// Each by its rule and arguments, with its text in the language of the request.
boost::json::array to_json(const std::vector<Notice>& notices, Language language);

}  // namespace sluice::api
