#include "api/office/notice_json.hpp"

namespace sluice::api {

boost::json::array to_json(const std::vector<Notice>& notices, Language language) {
    boost::json::array all;
    for (const auto& notice : notices) {
        boost::json::array arguments(notice.arguments.begin(), notice.arguments.end());
        boost::json::object each{{"rule", name_of(notice.rule)},
                                 {"arguments", std::move(arguments)},
                                 {"text", text_of(notice, language)}};
        if (!notice.about.empty()) each["about"] = to_json(notice.about, language);
        all.push_back(std::move(each));
    }
    return all;
}

}  // namespace sluice::api
