#include "main/transfer_progress.hpp"

#include <cstdio>
#include <memory>

namespace sluice {

transfer::Told report_on_stderr() {
    const auto counting = std::make_shared<bool>(false);  // the line is not ended yet
    return {.step =
                [counting](std::string_view step) {
                    std::fprintf(stderr, "%s%.*s\n", *counting ? "\n" : "",
                                 static_cast<int>(step.size()), step.data());
                    *counting = false;
                },
            .rows =
                [counting](std::int64_t done, std::int64_t all) {
                    std::fprintf(stderr, "\rcopied %lld of %lld rows", static_cast<long long>(done),
                                 static_cast<long long>(all));
                    *counting = true;
                }};
}

}  // namespace sluice
