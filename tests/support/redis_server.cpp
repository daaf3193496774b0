#include "support/redis_server.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.hpp"

namespace sluice::testing_support {
namespace {

struct Pipe {
    int read_end = -1, write_end = -1;

    Pipe() {
        int ends[2];
        CHECK(pipe2(ends, O_CLOEXEC) == 0, "a pipe can be made");
        read_end = ends[0];
        write_end = ends[1];
    }
    ~Pipe() {
        ::close(read_end);
        if (write_end >= 0) ::close(write_end);
    }
    void close_write_end() { ::close(std::exchange(write_end, -1)); }
};

/// Runs the program with its output in the pipe.
pid_t spawn(const std::vector<std::string>& words, const Pipe& output) {
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const auto process = ::fork();
    CHECK(process >= 0, "a process can be made");
    if (process > 0) return process;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(output.write_end, STDOUT_FILENO);
    ::dup2(output.write_end, STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

}  // namespace

RedisServer::RedisServer(std::vector<std::string> more) : more_(std::move(more)) {
    start();
}

RedisServer::~RedisServer() {
    kill();
}

RedisServer& RedisServer::shared() {
    static RedisServer server;
    return server;
}

redis::Options RedisServer::options() const {
    static std::atomic<int> number = 0;
    redis::Options options;
    options.places = {{.socket = socket(), .host = {}}};
    // A test that is not about time must not fail on a busy machine.
    options.patience = std::chrono::seconds{20};
    options.freshness = std::chrono::seconds{60};
    options.prefix = "test" + std::to_string(++number) + ':';
    return options;
}

void RedisServer::kill() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
}

void RedisServer::start() {
    CHECK(process_ < 0, "it does not run");
    // Without a file for its log, since its output says when it is ready.
    std::vector<std::string> words{"redis-server",
                                   "--port",
                                   "0",
                                   "--unixsocket",
                                   socket(),
                                   "--dir",
                                   folder_.path(),
                                   "--daemonize",
                                   "no",
                                   "--save",
                                   "",
                                   "--appendonly",
                                   "no"};
    words.insert(words.end(), more_.begin(), more_.end());
    Pipe output;
    process_ = spawn(words, output);
    output.close_write_end();
    std::string said;
    char part[512];
    while (said.find("eady to accept connections") == said.npos) {
        const auto size = ::read(output.read_end, part, sizeof part);
        if (size <= 0) std::fputs(said.c_str(), stderr);
        CHECK(size > 0, "redis-server is installed and starts");
        said.append(part, static_cast<std::size_t>(size));
    }
}

void RedisServer::freeze() {
    ::kill(process_, SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);  // until all of its threads have stopped
}

void RedisServer::thaw() {
    ::kill(process_, SIGCONT);
}

std::string RedisServer::ask(const std::vector<std::string>& words) const {
    std::vector<std::string> command{"redis-cli", "-s", socket()};
    command.insert(command.end(), words.begin(), words.end());
    Pipe output;
    const auto process = spawn(command, output);
    output.close_write_end();
    std::string answer;
    char part[4096];
    for (;;) {
        const auto size = ::read(output.read_end, part, sizeof part);
        if (size <= 0) break;
        answer.append(part, static_cast<std::size_t>(size));
    }
    ::waitpid(process, nullptr, 0);
    return answer;
}

std::string free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    CHECK(::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0,
          "a port is free");
    ::close(socket);
    return std::to_string(ntohs(address.sin_port));
}

}  // namespace sluice::testing_support
