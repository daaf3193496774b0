#include "support/mariadb_server.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sql/rows.hpp"
#include "base/check.hpp"

namespace sluice::testing_support {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 60s;

/// In memory where there is such a folder: nothing that is tested here survives a power cut.
fs::path make_folder() {
    const fs::path memory = "/dev/shm";
    auto name =
        ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "sluice-mariadb-XXXXXX")
            .string();
    CHECK(::mkdtemp(name.data()), "a temporary folder can be made");
    return name;
}

std::vector<std::string> arguments(const fs::path& folder, const std::vector<std::string>& first,
                                   const std::vector<std::string>& second) {
    std::vector<std::string> all{SLUICE_SOURCE_DIR "/tests/support/mariadb_server.sh",
                                 folder.string(), "0", "--innodb-flush-method=nosync"};
    all.insert(all.end(), first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    return all;
}

[[noreturn]] void become(const std::vector<std::string>& command) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char*> pointers;
    for (const auto& each : command) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

/// Those that are not in use.
std::vector<std::string>& free_databases() {
    static std::vector<std::string> names;
    return names;
}

}  // namespace

MariadbServer::MariadbServer(std::vector<std::string> options)
    : folder_(make_folder()), options_(std::move(options)) {
    start();
}

MariadbServer::~MariadbServer() {
    if (is_running()) kill();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void MariadbServer::start(const std::vector<std::string>& options) {
    CHECK(!is_running(), "a server is started once at a time");
    const auto command = arguments(folder_, options_, options);
    process_ = ::fork();
    if (process_ == 0) become(command);
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
        try {
            return run("SELECT 1");
        } catch (const mariadb::Error&) {
            if (std::chrono::steady_clock::now() > deadline ||
                ::waitpid(process_, nullptr, WNOHANG))
                throw std::runtime_error("MariaDB does not start; is mariadb-server installed?");
            std::this_thread::sleep_for(10ms);
        }
    }
}

void MariadbServer::signal(int number) const {
    CHECK(is_running() && ::kill(process_, number) == 0, "the server runs");
}

void MariadbServer::kill() {
    signal(SIGKILL);
    ::waitpid(std::exchange(process_, 0), nullptr, 0);
}

void MariadbServer::freeze() {
    signal(SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);  // until all of its threads have stopped
}

void MariadbServer::thaw() {
    signal(SIGCONT);
}

mariadb::ServerAddress MariadbServer::address(std::string database) const {
    mariadb::ServerAddress address;
    address.socket = folder_ / "mariadb.sock";
    address.database = std::move(database);
    address.user = "root";
    return address;
}

void MariadbServer::run(std::string_view statements) const {
    mariadb::Connection connection(address(""), mariadb::kLongPatience);
    connection.connect();
    connection.run_script(statements);
}

MariadbServer& shared_mariadb() {
    static MariadbServer server;
    return server;
}

MariadbDatabase::MariadbDatabase() {
    auto& names = free_databases();
    if (names.empty()) {
        static int made = 0;
        name_ = "test_" + std::to_string(++made);
        mariadb::migrate(address());
    } else {
        name_ = std::move(names.back());
        names.pop_back();
    }
}

MariadbDatabase::~MariadbDatabase() {
    mariadb::Connection connection(address(), mariadb::kLongPatience);
    connection.connect();
    // What the migrations themselves have put in stays.
    auto tables = connection.rows<std::string>(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = database() AND "
        "table_type = 'BASE TABLE' AND table_name NOT IN ('migrations', 'ledger_name', "
        "'ledger_turn', 'trail_head', "
        "'schema_objects')");
    std::string script = "SET foreign_key_checks = 0; ALTER SEQUENCE webhook_event_numbers RESTART";
    for (const auto& table : tables.to_vector())
        if (connection.has_row("SELECT 1 FROM `" + table + "` LIMIT 1"))
            script += "; TRUNCATE `" + table + "`";
    connection.run_script(script);
    free_databases().push_back(name_);
}

}  // namespace sluice::testing_support
