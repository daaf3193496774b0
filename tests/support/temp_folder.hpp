#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/check.hpp"

namespace sluice::testing_support {

/// A folder for one test, removed with its contents afterwards.
class TempFolder {
  public:
    TempFolder() {
        auto pattern = (std::filesystem::temp_directory_path() / "sluice-test-XXXXXX").string();
        CHECK(mkdtemp(pattern.data()), "a temporary folder can be made");
        path_ = pattern;
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    ~TempFolder() { std::filesystem::remove_all(path_); }

    std::filesystem::path operator/(const char* name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace sluice::testing_support
