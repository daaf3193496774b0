#include "support/rabbitmq_server.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.hpp"
#include "support/redis_server.hpp"

namespace sluice::testing_support {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 180s;
constexpr const char* kScript = SLUICE_SOURCE_DIR "/tests/support/rabbitmq_server.sh";

/// In memory where there is such a folder: nothing that is tested here survives a power cut.
fs::path make_folder() {
    const fs::path memory = "/dev/shm";
    auto name =
        ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "sluice-rabbitmq-XXXXXX")
            .string();
    CHECK(::mkdtemp(name.data()), "a temporary folder can be made");
    return name;
}

std::uint16_t some_port() {
    return static_cast<std::uint16_t>(std::stoi(free_port()));
}

[[noreturn]] void become(const std::vector<std::string>& command) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char*> pointers;
    for (const auto& each : command) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

bool takes_connections(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const bool is_there =
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return is_there;
}

}  // namespace

RabbitmqServer::RabbitmqServer()
    : folder_(make_folder()),
      port_(some_port()),
      tls_port_(some_port()),
      epmd_port_(some_port()),
      distribution_port_(some_port()) {
    make_certificate();
    start();
}

RabbitmqServer::~RabbitmqServer() {
    if (process_ > 0) kill();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

RabbitmqServer& RabbitmqServer::shared() {
    static RabbitmqServer server;
    return server;
}

/// Self-signed, for "localhost".
void RabbitmqServer::make_certificate() const {
    const auto command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
        (certificates_ / "key.pem").string() + " -out " + (certificates_ / "cert.pem").string() +
        " 2>/dev/null";
    CHECK(std::system(command.c_str()) == 0, "openssl is installed");
}

std::vector<std::string> RabbitmqServer::command() const {
    const auto certificate = (certificates_ / "cert.pem").string();
    return {kScript,
            folder_.string(),
            std::to_string(port_),
            std::to_string(epmd_port_),
            std::to_string(distribution_port_),
            "listeners.ssl.1 = 127.0.0.1:" + std::to_string(tls_port_),
            "ssl_options.cacertfile = " + certificate,
            "ssl_options.certfile = " + certificate,
            "ssl_options.keyfile = " + (certificates_ / "key.pem").string(),
            "ssl_options.verify = verify_none"};
}

void RabbitmqServer::start() {
    CHECK(process_ == 0, "a server is started once at a time");
    const auto words = command();
    process_ = ::fork();
    if (process_ == 0) become(words);
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    // The listener with TLS is the last one.
    while (!takes_connections(port_) || !takes_connections(tls_port_)) {
        const bool has_ended = ::waitpid(process_, nullptr, WNOHANG) != 0;
        if (has_ended || std::chrono::steady_clock::now() > deadline) {
            if (!has_ended) kill();
            process_ = 0;
            throw std::runtime_error("RabbitMQ does not start; is rabbitmq-server installed?");
        }
        std::this_thread::sleep_for(20ms);
    }
}

void RabbitmqServer::signal(int number) const {
    CHECK(process_ > 0 && ::kill(process_, number) == 0, "the server runs");
}

void RabbitmqServer::kill() {
    signal(SIGKILL);
    ::waitpid(std::exchange(process_, 0), nullptr, 0);
}

void RabbitmqServer::freeze() {
    signal(SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);  // until all of its threads have stopped
}

void RabbitmqServer::thaw() {
    signal(SIGCONT);
}

rabbitmq::Options RabbitmqServer::options() const {
    static std::atomic<int> number = 0;
    rabbitmq::Options options;
    options.hosts = {{.name = "127.0.0.1", .port = port_}};
    options.user = "sluice";
    options.password = "sluice";
    options.queue = "test" + std::to_string(++number);
    // A test that is not about time must not fail on a busy machine.
    options.connect_within = 20s;
    options.confirm_within = 20s;
    options.heartbeat = 60s;
    return options;
}

rabbitmq::Options RabbitmqServer::tls_options() const {
    auto made = options();
    made.hosts = {{.name = "localhost", .port = tls_port_}};
    made.tls = rabbitmq::Options::Tls{.ca = certificates_ / "cert.pem", .cert = {}, .key = {}};
    return made;
}

void RabbitmqServer::delete_queue(const std::string& name) const {
    auto* const connection = amqp_new_connection();
    auto* const socket = amqp_tcp_socket_new(connection);
    CHECK(amqp_socket_open(socket, "127.0.0.1", port_) == AMQP_STATUS_OK, "the server runs");
    const auto login = amqp_login(connection, "/", 1, AMQP_DEFAULT_FRAME_SIZE, 0,
                                  AMQP_SASL_METHOD_PLAIN, "sluice", "sluice");
    CHECK(login.reply_type == AMQP_RESPONSE_NORMAL, "the user may log in");
    amqp_channel_open(connection, 1);
    CHECK(amqp_queue_delete(connection, 1, amqp_cstring_bytes(name.c_str()), 0, 0),
          "the queue was there");
    amqp_connection_close(connection, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(connection);
}

std::string RabbitmqServer::ctl(const std::vector<std::string>& words) const {
    auto command = std::string(kScript) + " --ctl " + folder_.string();
    for (const auto& word : words) command += " '" + word + '\'';
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    CHECK(pipe, "rabbitmqctl can be run");
    std::string said;
    std::array<char, 512> part;
    while (const auto size = std::fread(part.data(), 1, part.size(), pipe.get()))
        said.append(part.data(), size);
    return said;
}

}  // namespace sluice::testing_support
