#include "main/password.hpp"

#include <fstream>

#include "main/data_folder.hpp"

namespace sluice {

std::string read_password(const std::string& given, const std::filesystem::path& file,
                          std::string_view key) {
    if (file.empty()) return given;
    std::ifstream stream(file);
    std::string line;
    if (!std::getline(stream, line))
        throw DataError("cannot read a password from " + file.string() + ", which " +
                        std::string(key) + " names");
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

}  // namespace sluice
